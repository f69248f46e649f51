"""Calibrated probabilities on a stream, where CalibratedClassifierCV would need all of it at once.

CalibratedClassifierCV cannot go on learning: it is fitted on the first half and asked about the second. An
OnlineBoostClassifier is asked about each minibatch of the second half and then learns from it.
"""

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.naive_bayes import GaussianNB

import plumbline

first = plumbline.generate("waveform", 2_000)
later = plumbline.generate("waveform", 2_000, seed=9)
later[0][:, :10] += 1.5  # sensors drift

offline = CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=3).fit(*first)
p = offline.predict_proba(later[0])[:, 1]
print(f"CalibratedClassifierCV  log-loss {log_loss(later[1], p):.3f}   Brier {brier_score_loss(later[1], p):.3f}")

online = plumbline.OnlineBoostClassifier().fit(*first)
predicted = []
for i in range(0, 2_000, 50):
    X, y = later[0][i:i + 50], later[1][i:i + 50]
    predicted.append(online.predict_proba(X)[:, 1])
    online.partial_fit(X, y)
p = np.concatenate(predicted)
print(f"OnlineBoostClassifier   log-loss {log_loss(later[1], p):.3f}   Brier {brier_score_loss(later[1], p):.3f}")
