"""A stream whose concept changes: do the probabilities still mean what they say?

Half of it is SEA's first concept, then the third begins. Every minibatch is predicted before it is
learned from.
"""

import numpy as np

import plumbline

before = plumbline.generate("sea", 10_000)
after = plumbline.generate("sea:concept=3", 10_000, seed=2)
X, y = np.vstack([before[0], after[0]]), np.concatenate([before[1], after[1]])

probabilities = plumbline.Model().step(X, y)[:, 1]

for name, part in [("before the change", slice(0, 10_000)),
                   ("the 1,000 after it", slice(10_000, 11_000)), ("later", slice(11_000, None))]:
    loss, error = plumbline.Metric("log_loss"), plumbline.Metric("calibration_error")
    for metric in (loss, error):
        metric.update(probabilities[part], y[part])
    print(f"{name:20} log-loss {loss.value:.3f}   calibration error {error.value:.3f}")
