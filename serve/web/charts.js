// The charts: how each gets its points from the server's document, and what it says in words and as a table.
import { clock, decimal, duration, percent, rate, short, whole } from "/format.js";
import { DRIFT, Throughput, actionShares, baseLoss, drift, meanLoss, movingLoss } from "/derived.js";
import { bars, color, line, uPlot } from "/plot.js";

const ACTIONS = [["train", "blue"], ["calibrate", "orange"], ["both", "green"], ["skip", "violet"]];
const ACTION_NAMES = ACTIONS.map(([name]) => name);
const NOTHING = "No label yet.";

const share = { range: [0, 1] };
const fromZero = { range: (_, low, high) => [0, high > 0 ? 1.08 * high : 1] };
const labelAxis = { values: (_, ticks) => ticks.map(short) };
const shareAxis = { values: (_, ticks) => ticks.map((tick) => percent(tick, 0)) };
// A single point would have a range without width.
const labels = { time: false, range: (_, low, high) => [0, Math.max(high ?? 0, 10)] };
const ends = (document) => document.curve.map((stretch) => stretch.end);

const learningCurve = {
  id: "curve",
  title: "Log-loss",
  legend: [["last stretches", "blue"], ["since the start", "orange"], ["base rate", "gray"]],
  options: { scales: { x: labels, y: fromZero }, axes: [labelAxis, {}],
             series: [{}, line("--blue"), line("--orange"), line("--gray", { dash: [5, 5] })] },
  points({ document }) {
    const base = baseLoss(document.all.positive_share);
    const { curve } = document;
    return [ends(document), movingLoss(curve), meanLoss(curve), curve.map(() => base)];
  },
  summary({ document: { all, recent } }) {
    if (all.labels === 0) return NOTHING;
    const base = baseLoss(all.positive_share);
    const against = base === null ? "" : `; always the base rate: ${decimal(base)}`;
    return `${decimal(recent.log_loss)} over the last ${whole(recent.labels)} labels, ` +
           `${decimal(all.log_loss)} over all ${whole(all.labels)}${against}.`;
  },
  head: ["Labels", "Last stretches", "Since the start"],
  rows(view) {
    const [x, moving, mean] = this.points(view);
    return x.map((end, i) => [whole(end), decimal(moving[i]), decimal(mean[i])]);
  },
};

// What the probabilities of the reliability diagram and of the histogram are of.
const eventOf = ({ classes }) => (classes.length === 2 ? `label ${classes[1]}` : "the most likely class is right");
const outside = (bin) => bin.positive_rate < bin.band_low || bin.positive_rate > bin.band_high;

function drawReliability(u, { document }) {
  const { ctx } = u;
  const x = (value) => u.valToPos(value, "x", true), y = (value) => u.valToPos(value, "y", true);
  ctx.save();
  ctx.strokeStyle = color("--gray");
  ctx.setLineDash([5, 5]);
  ctx.beginPath();
  ctx.moveTo(x(0), y(0));
  ctx.lineTo(x(1), y(1));
  ctx.stroke();
  ctx.fillStyle = color("--band");
  for (const bin of document.reliability) {
    const top = y(bin.band_high), height = Math.max(y(bin.band_low) - top, 1);
    ctx.fillRect(x(bin.low) + 1, top, x(bin.high) - x(bin.low) - 2, height);
  }
  for (const bin of document.reliability) {
    ctx.fillStyle = color(outside(bin) ? "--alert" : "--blue");
    ctx.beginPath();
    ctx.arc(x(bin.mean_probability), y(bin.positive_rate), 4 * uPlot.pxRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
}

const reliability = {
  id: "reliability",
  title: "Reliability",
  legend: [["observed share", "blue"], ["outside the band", "alert"], ["band if calibrated", "band"]],
  draw: drawReliability,
  options: { scales: { x: { time: false, ...share }, y: { range: [-0.03, 1.03] } }, axes: [shareAxis, shareAxis],
             series: [{}, { show: false }] },
  points({ document }) {
    return [document.reliability.map((bin) => bin.mean_probability), document.reliability.map((bin) => bin.positive_rate)];
  },
  summary({ document }) {
    const bins = document.reliability;
    if (bins.length === 0) return NOTHING;
    const count = bins.filter(outside).length;
    const where = count === 0 ? "No bin is" : `${count} of ${bins.length} bins ${count === 1 ? "is" : "are"}`;
    return `${where} outside the consistency band. Calibration error ${decimal(document.all.calibration_error)}. ` +
           `Event: ${eventOf(document)}.`;
  },
  head: ["Bin", "Labels", "Mean probability", "Share", "Band"],
  rows: ({ document }) => document.reliability.map((bin) => [
    `${percent(bin.low, 0)} to ${percent(bin.high, 0)}`, whole(bin.count), percent(bin.mean_probability),
    percent(bin.positive_rate), `${percent(bin.band_low)} to ${percent(bin.band_high)}`]),
};

const histogram = {
  id: "histogram",
  title: "Probabilities",
  legend: [["all labels", "gray"], ["event occurred", "blue"]],
  options: { scales: { x: { time: false, ...share }, y: fromZero }, axes: [shareAxis, labelAxis],
             series: [{}, bars("--gray"), bars("--blue")] },
  points({ document: { histogram: bins } }) {
    return [bins.map((bin) => (bin.low + bin.high) / 2), bins.map((bin) => bin.count), bins.map((bin) => bin.positives)];
  },
  summary({ document }) {
    const { all, histogram: bins } = document;
    if (all.labels === 0) return NOTHING;
    const sure = bins[0].count + bins.at(-1).count;
    return `${percent(sure / all.labels)} of the labels had a probability below 5% or above 95%. Event: ${eventOf(document)}.`;
  },
  head: ["Probability", "Labels", "Event occurred"],
  rows: ({ document }) => document.histogram.map((bin) => [
    `${percent(bin.low, 0)} to ${percent(bin.high, 0)}`, whole(bin.count), whole(bin.positives)]),
};

const changes = {
  id: "drift",
  title: "Drift",
  legend: [["change of the error rate, in standard errors", "blue"]],
  options: {
    scales: { x: labels, y: { range: (_, low, high) => [Math.min(-5, 1.1 * (low ?? 0)), Math.max(5, 1.1 * (high ?? 0))] } },
    axes: [labelAxis, {}],
    series: [{}, line("--blue"), line("--alert", { dash: [5, 5], width: 1 }), line("--alert", { dash: [5, 5], width: 1 })] },
  points({ document }) {
    return [ends(document), drift(document.curve), document.curve.map(() => DRIFT), document.curve.map(() => -DRIFT)];
  },
  summary({ document }) {
    const values = drift(document.curve);
    const last = values.at(-1);
    if (last === undefined || last === null) return "Too few labels to compare two windows.";
    const beyond = (value) => value !== null && Math.abs(value) > DRIFT;
    const word = (value) => (value > 0 ? "worse" : "better");
    const now = beyond(last) ? `Now ${word(last)} than just before` : "No drift now";
    const i = values.findLastIndex(beyond);
    const latest = i < 0 ? "none seen so far" : `the latest at label ${whole(document.curve[i].end)}, ${word(values[i])}`;
    return `${now} (${decimal(last, 1)} standard errors, limit ${DRIFT}); ${latest}.`;
  },
  head: ["Labels", "Standard errors"],
  rows(view) {
    const [x, values] = this.points(view);
    return x.map((end, i) => [whole(end), decimal(values[i], 1)]);
  },
};

const policy = {
  id: "policy",
  title: "Actions of the policy",
  legend: ACTIONS,
  options: { scales: { x: labels, y: share }, axes: [labelAxis, shareAxis],
             // The highest sum is drawn first, the lower ones over it.
             series: [{}, ...ACTIONS.toReversed().map(([, name]) => ({
               ...line(`--${name}`, { width: 0 }), fill: () => color(`--${name}`),
               paths: uPlot.paths.stepped({ align: -1 }) }))] },
  points({ document }) {
    if (document.curve.length === 0) return [[], ...ACTION_NAMES.map(() => [])];
    const sums = ACTION_NAMES.map(() => []);
    for (const shares of actionShares(document.curve, ACTION_NAMES)) {
      let sum = 0;
      shares.forEach((value, a) => sums[a].push((sum += value)));
    }
    return [[0, ...ends(document)], ...sums.toReversed().map((list) => [list[0], ...list])];
  },
  summary({ document: { actions } }) {
    const total = ACTION_NAMES.reduce((sum, name) => sum + actions[name], 0);
    if (total === 0) return "No decision yet.";
    const used = ACTION_NAMES.filter((name) => actions[name] > 0);
    return `${whole(total)} decisions: ${used.map((name) => `${name} ${percent(actions[name] / total)}`).join(", ")}.`;
  },
  head: ["Labels", ...ACTION_NAMES],
  rows({ document }) {
    const shares = actionShares(document.curve, ACTION_NAMES);
    return document.curve.map((stretch, i) => [whole(stretch.end), ...shares[i].map((value) => percent(value))]);
  },
};

const SHORT_DELAYS = ["10ms", "0.1s", "1s", "10s", "1m", "10m", "1h", "6h", "1d", "7d", ">7d"];

// Every second one where all would overlap.
const delayTicks = (u) => u.data[0].filter((i) => u.width > 440 || i % 2 === 0);

const delay = {
  id: "delay",
  title: "Label delay",
  legend: [["labels, by the time since their prediction", "blue"]],
  options: { scales: { x: { time: false, range: (_, low, high) => [-0.6, (high ?? 10) + 0.6] }, y: fromZero },
             axes: [{ values: (_, ticks) => ticks.map((tick) => SHORT_DELAYS[tick]), splits: delayTicks, grid: { show: false } },
                    labelAxis],
             series: [{}, bars("--blue")] },
  points: ({ document }) => [document.delay.counts.map((_, i) => i), document.delay.counts],
  summary({ document: { delay: { mean }, counts } }) {
    if (mean === null) return "No label of an earlier prediction yet.";
    return `${whole(counts.labels.predicted)} labels came after their prediction, ${duration(mean)} later on average; ` +
           `${whole(counts.predictions.pending)} are awaited.`;
  },
  head: ["Delay", "Labels"],
  rows: ({ document: { delay: { bounds, counts } } }) => counts.map((count, i) => [
    i < bounds.length ? `up to ${duration(bounds[i])}` : `over ${duration(bounds.at(-1))}`, whole(count)]),
};

const throughput = {
  id: "throughput",
  title: "Throughput",
  legend: [["predictions per second", "orange"], ["labels per second", "blue"]],
  options: { scales: { x: { time: false, range: [-Throughput.kept, 0] }, y: fromZero },
             axes: [{ values: (_, ticks) => ticks.map((tick) => `${tick} s`) }, labelAxis],
             // Both are seen where they are equal.
             series: [{}, line("--orange", { width: 5 }), line("--blue")] },
  points: ({ throughput: t }) => [t.times.map((time) => time - t.times.at(-1)), t.predictions, t.labels],
  summary({ throughput: t }) {
    const { predictions, labels: learned } = t.last();
    if (predictions === null) return "Measured from now on.";
    return `${rate(predictions)} predictions and ${rate(learned)} labels, measured while this page is open.`;
  },
  head: ["Time", "Predictions", "Labels"],
  rows: ({ throughput: t }) => t.times.map((time, i) => [clock(time), rate(t.predictions[i]), rate(t.labels[i])]),
};

export const charts = [learningCurve, reliability, histogram, changes, policy, delay, throughput];
