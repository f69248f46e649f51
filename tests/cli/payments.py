"""A table as people have them: an identifier, a timestamp, categories, an amount, and a rare label."""

import datetime
import random

HEADER = "id,timestamp,country,amount,device,label"
LEAST_LIKELY, MOST_LIKELY = 0.03, 0.16  # the probabilities with which a payment is labelled


def payments(rows, seed=7):
    """(row, probability of its label), in the order of time; about 5 % are labelled."""
    draw = random.Random(seed)
    when = datetime.datetime(2024, 3, 1)
    for i in range(rows):
        when += datetime.timedelta(seconds=draw.expovariate(1 / 600))
        country = draw.choices(["DE", "FR", "US", "BR"], [5, 3, 3, 1])[0]
        amount = round(draw.lognormvariate(3, 1), 2)
        device = draw.choice(["phone", "web", "terminal"])
        night, large = when.hour < 6, amount > 50
        p = LEAST_LIKELY + 0.05 * night + 0.04 * large + 0.04 * (device == "web" and night)
        row = [i + 1, when.isoformat(timespec="seconds"), country, amount, device, int(draw.random() < p)]
        yield row, p


def text(rows, header=HEADER):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"
