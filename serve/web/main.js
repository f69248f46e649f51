// The page: which model is shown, with which token, and what is done with each document of the server.
import { charts } from "/charts.js";
import { Throughput } from "/derived.js";
import { clock, decimal, duration, percent, rate, whole } from "/format.js";
import { Plot, element, tableRows } from "/plot.js";
import { follow, headers } from "/stream.js";

const at = (id) => document.getElementById(id);
const REST = 2.5;  // seconds without a document after which the throughput is 0
const plots = charts.map((chart) => new Plot(chart, at("events")));
let token = sessionStorage.getItem("token") ?? "";
let stop = () => {};
let model = null;  // its document at /v1/models
let view = null;
let heard = 0;

const FIGURES = [
  ["Log-loss", ({ all }) => decimal(all.log_loss), ({ recent }) => `recent ${decimal(recent.log_loss)}`],
  ["Calibration error", ({ all }) => decimal(all.calibration_error), ({ recent }) => `recent ${decimal(recent.calibration_error)}`],
  ["Accuracy", ({ all }) => percent(all.accuracy), ({ recent }) => `recent ${percent(recent.accuracy)}`],
  ["Base rate", ({ all }) => percent(all.positive_share), ({ recent }) => `recent ${percent(recent.positive_share)}`],
  ["Labels learned", ({ counts }) => whole(counts.labels.learned), ({ counts }) =>
    (counts.labels.refused > 0 ? `${whole(counts.labels.refused)} refused` : `${whole(counts.labels.logged)} in the log`)],
  ["Predictions", ({ counts }) => whole(counts.predictions.answered), ({ counts }) =>
    `${whole(counts.predictions.pending)} await a label`],
  ["Rate of labels", () => rate(view.throughput.last().labels), () => `${rate(view.throughput.last().predictions)} predictions`],
].map(([name, value, note]) => {
  const cells = [element("dd", { class: "value" }, "–"), element("dd", { class: "note" })];
  at("figures").append(element("div", {}, element("dt", {}, name), ...cells));
  return (document) => [value, note].forEach((text, i) => { cells[i].textContent = text(document); });
});

function say(state, text) {
  const status = at("status");
  if (status.textContent !== text) status.textContent = text;
  status.dataset.state = state;
}

// ---- What is shown

function exampleCommand() {
  const row = model.columns ? {} : { amount: 12.5, country: "NL" };
  for (const [name, kind] of Object.entries(model.columns ?? {})) row[name] = kind === "numeric" ? 1 : "a";
  const item = JSON.stringify({ row, label: model.classes.at(-1) }).replaceAll("'", "'\\''");
  const access = token ? ` -H "Authorization: Bearer $TOKEN"` : "";
  return `curl${access} --json '${item}' ${location.origin}/v1/models/${model.name}/learn`;
}

function showEmpty({ all, counts }) {
  at("empty").hidden = all.labels > 0;
  if (all.labels > 0) return;
  const waiting = counts.labels.logged;
  at("waiting").textContent = waiting === 0 ? "Send one:"
    : `${whole(waiting)} of a minibatch of ${whole(model.batch)} labels ${waiting === 1 ? "is" : "are"} there. Send more:`;
  at("command").textContent = exampleCommand();
}

function showLast({ last, classes }) {
  at("probability-title").textContent = classes.length === 2 ? `Probability of ${classes[1]}` : "Probability";
  const rows = tableRows(last.map((label) => [whole(label.number), clock(label.time), label.id ?? "", label.label,
                                              percent(label.probability), label.delay === undefined ? "" : duration(label.delay)]));
  for (const row of rows) {
    row.cells[2].className = "id";
    row.cells[2].title = row.cells[2].textContent;
  }
  at("last").replaceChildren(...rows);
}

function showNumbers() {
  FIGURES.forEach((show) => show(view.document));
  plots.forEach((plot) => plot.show(view));
}

function show(received) {
  heard = performance.now();
  view.document = received;
  view.throughput.add(received);
  say(received.state === "ready" ? "live" : "lost", received.state === "ready" ? "Live" : `The model is ${received.state}`);
  showEmpty(received);
  showLast(received);
  showNumbers();
}

// ---- Which model

function open(name) {
  stop();
  const found = listed.find((one) => one.name === name) ?? listed[0];
  model = found;
  at("model").value = model.name;
  document.title = `${model.name} – plumbline`;
  history.replaceState(null, "", `#${encodeURIComponent(model.name)}`);
  view = { document: null, throughput: new Throughput() };
  say("connecting", "Connecting");
  stop = follow(`/v1/models/${encodeURIComponent(model.name)}/events`, token, {
    document: show,
    denied: askForToken,
    gone: start,
    lost: () => say("lost", "Connection lost, trying again"),
  });
}

let listed = [];

function askForToken() {
  stop();
  at("denied").textContent = token ? "The server does not know this token."
    : "This server needs a token. It is kept in this tab only.";
  at("access").hidden = false;
  say("lost", "No access");
  at("token").focus();
}

async function start() {
  const response = await fetch("/v1/models", { headers: headers(token), cache: "no-store" }).catch(() => null);
  if (response?.status === 401) return askForToken();
  if (!response?.ok) {
    say("lost", "Connection lost, trying again");
    setTimeout(start, 2000);
    return;
  }
  at("access").hidden = true;
  listed = (await response.json()).models;
  at("model").replaceChildren(...listed.map(({ name }) => element("option", { value: name }, name)));
  at("model").disabled = listed.length < 2;
  open(decodeURIComponent(location.hash.slice(1)));
}

at("model").addEventListener("change", () => open(at("model").value));
addEventListener("hashchange", () => {
  const name = decodeURIComponent(location.hash.slice(1));
  if (name !== model?.name && listed.some((one) => one.name === name)) open(name);
});
at("access").addEventListener("submit", (event) => {
  event.preventDefault();
  token = at("token").value.trim();
  sessionStorage.setItem("token", token);
  at("token").value = "";
  start();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plots.forEach((plot) => plot.redraw()));
setInterval(() => {
  const silent = (performance.now() - heard) / 1000;
  if (!view?.document || silent < REST || at("status").dataset.state !== "live") return;
  heard = performance.now();
  view.throughput.rest(silent);
  showNumbers();
}, 1000);
start();
