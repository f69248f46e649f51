// What the charts show and the server's document does not have as such.

// Stretches of the curve in a window. Stretches at the start have as few as ten labels: alone they are noise.
export const WINDOW = 8;
// Standard errors from which a change of the error rate counts as drift.
export const DRIFT = 4;

function sums(stretches) {
  let labels = 0, wrong = 0, loss = 0;
  for (const s of stretches) {
    labels += s.labels;
    wrong += s.labels * (1 - s.accuracy);
    loss += s.labels * s.log_loss;
  }
  return { labels, wrong, loss };
}

// The log-loss of the last stretches up to each.
export function movingLoss(curve) {
  return curve.map((_, i) => {
    const { labels, loss } = sums(curve.slice(Math.max(0, i + 1 - WINDOW), i + 1));
    return loss / labels;
  });
}

export function meanLoss(curve) {
  let labels = 0, loss = 0;
  return curve.map((s) => {
    labels += s.labels;
    loss += s.labels * s.log_loss;
    return loss / labels;
  });
}

// The log-loss of always giving the share of the positive class; null without one.
export function baseLoss(share) {
  if (typeof share !== "number") return null;
  const part = (p) => (p > 0 ? -p * Math.log(p) : 0);
  return part(share) + part(1 - share);
}

// The difference of the error rates of a window and of the window before it, in standard errors; above 0 is worse.
// Null where there are not two whole windows.
export function drift(curve) {
  return curve.map((_, i) => {
    if (i + 1 < 2 * WINDOW) return null;
    const now = sums(curve.slice(i + 1 - WINDOW, i + 1));
    const before = sums(curve.slice(i + 1 - 2 * WINDOW, i + 1 - WINDOW));
    const pooled = (now.wrong + before.wrong) / (now.labels + before.labels);
    const variance = pooled * (1 - pooled) * (1 / now.labels + 1 / before.labels);
    if (variance <= 0) return 0;
    return (now.wrong / now.labels - before.wrong / before.labels) / Math.sqrt(variance);
  });
}

// The share of each action in each stretch; a stretch in which none was taken has the shares before it.
export function actionShares(curve, names) {
  let last = names.map(() => 0);
  return curve.map((s) => {
    const total = names.reduce((sum, name) => sum + s.actions[name], 0);
    if (total > 0) last = names.map((name) => s.actions[name] / total);
    return last;
  });
}

// Predictions and labels a second, of the documents of the last two minutes.
export class Throughput {
  static kept = 120;
  times = [];
  predictions = [];
  labels = [];
  #before = null;

  add(document) {
    const now = { time: document.time, predictions: document.counts.predictions.answered,
                  labels: document.counts.labels.learned };
    const before = this.#before;
    if (before === null) {
      this.#before = now;
      return;
    }
    const seconds = now.time - before.time;
    if (seconds < 0.2) return;
    this.#before = now;
    // Counts of predictions begin again with the server.
    this.#push(now.time, Math.max(0, now.predictions - before.predictions) / seconds,
               Math.max(0, now.labels - before.labels) / seconds);
  }

  // Nothing has come for some seconds: the server sends no document if nothing has changed.
  rest(seconds) {
    if (this.#before === null) return;
    this.#before = { ...this.#before, time: this.#before.time + seconds };
    this.#push(this.#before.time, 0, 0);
  }

  #push(time, predictions, labels) {
    for (const [list, value] of [[this.times, time], [this.predictions, predictions], [this.labels, labels]]) {
      list.push(value);
      if (list.length > Throughput.kept) list.shift();
    }
  }

  last() {
    return { predictions: this.predictions.at(-1) ?? null, labels: this.labels.at(-1) ?? null };
  }
}
