// A chart on the page: a uPlot with the colors of the page, its legend, its words and its table.
import uPlot from "/vendor/uplot/uPlot.esm.js";

export { uPlot };

const HEIGHT = 240;
const FONT = "12px system-ui, sans-serif";

export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);

export const line = (name, more = {}) => ({ stroke: () => color(name), width: 2, points: { show: false }, ...more });

export const bars = (name) => ({ stroke: () => color(name), fill: () => color(name), width: 0, points: { show: false },
                                 paths: uPlot.paths.bars({ size: [0.9, 100] }) });

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export const tableRows = (rows) => rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));

function axis(own) {
  return { stroke: () => color("--quiet"), font: FONT, ticks: { stroke: () => color("--line"), width: 1, size: 4 }, ...own,
           grid: { stroke: () => color("--grid"), width: 1, ...own.grid } };
}

export class Plot {
  #chart;
  #plot;
  #view = null;
  #summary = element("p", { class: "summary" });
  #details = element("details", {}, element("summary", {}, "Table"));
  #body = element("tbody");

  constructor(chart, next) {
    this.#chart = chart;
    const { id } = chart;
    const title = element("h2", { id: `${id}-title` }, chart.title);
    const legend = element("ul", { class: "legend" }, ...chart.legend.map(([name, key]) => element("li", { class: key }, name)));
    const place = element("div", { class: "plot", role: "img", "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-summary` });
    this.#summary.id = `${id}-summary`;
    const head = element("tr", {}, ...chart.head.map((name) => element("th", { scope: "col" }, name)));
    this.#details.append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${chart.title}: table` },
                                 element("table", {}, element("thead", {}, head), this.#body)));
    this.#details.addEventListener("toggle", () => this.#fillTable());
    next.before(element("section", { class: "card", id }, element("header", {}, title, legend), place, this.#summary, this.#details));
    const width = () => Math.max(place.clientWidth, 100);
    const [x, y] = chart.options.axes;
    const hooks = { draw: [(u) => this.#view && chart.draw?.(u, this.#view)] };
    this.#plot = new uPlot({ ...chart.options, width: width(), height: HEIGHT, axes: [axis({ size: 34, ...x }), axis({ size: 52, ...y })],
                             legend: { show: false }, cursor: { show: false }, hooks },
                           chart.options.series.map(() => []), place);
    new ResizeObserver(() => this.#plot.setSize({ width: width(), height: HEIGHT })).observe(place);
  }

  show(view) {
    this.#view = view;
    this.#plot.setData(this.#chart.points(view));
    this.#summary.textContent = this.#chart.summary(view);
    this.#fillTable();
  }

  redraw() { this.#plot.redraw(); }

  #fillTable() {
    if (this.#details.open && this.#view) this.#body.replaceChildren(...tableRows(this.#chart.rows(this.#view)));
  }
}
