"""Deciding when mistakes cost differently: block a payment, or let it pass?

Blocking a good payment costs 5. Letting a fraud pass costs its amount. The cheapest decision compares the
two expected costs, for which the probability has to mean what it says.
"""

import numpy as np

import plumbline

rng = np.random.default_rng(3)
X, y = plumbline.generate("agrawal", 20_000)
amount = rng.lognormal(3.5, 1.0, len(y))

# Each minibatch is predicted before it is learned from.
p = plumbline.Model().step(X, y)[:, 1]


def cost(block):
    return np.where(y == 1, np.where(block, 0, amount), np.where(block, 5, 0)).mean()


for name, block in [("never block", np.zeros(len(y), bool)), ("always block", np.ones(len(y), bool)),
                    ("block if p > 0.5", p > 0.5),
                    ("block if that is cheaper", plumbline.decide(p, cost_fp=5, cost_fn=amount))]:
    print(f"{name:25} {cost(block):6.2f} a payment")
