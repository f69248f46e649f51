"""Deciding when mistakes cost differently: block a payment, or let it pass?

Blocking a good payment costs 5. Letting a fraud pass costs its amount. The cheapest decision compares the
two expected costs, for which the probability has to mean what it says.
"""

import numpy as np

import plumbline

rng = np.random.default_rng(3)
X, y = plumbline.generate("agrawal", 20_000)
amount = rng.lognormal(3.5, 1.0, len(y))

model = plumbline.Model()
p = np.concatenate([model.step(X[i:i + 100], y[i:i + 100])[:, 1] for i in range(0, len(X), 100)])


def cost(block):
    return np.where(y == 1, np.where(block, 0, amount), np.where(block, 5, 0)).mean()


print(f"never block              {cost(np.zeros(len(y), bool)):6.2f} a payment")
print(f"always block             {cost(np.ones(len(y), bool)):6.2f}")
print(f"block if p > 0.5         {cost(p > 0.5):6.2f}")
print(f"block if p amount > (1 - p) 5 {cost(p * amount > (1 - p) * 5):6.2f}")
