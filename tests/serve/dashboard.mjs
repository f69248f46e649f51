// Looks at the dashboard in Chromium: node dashboard.mjs PLAYWRIGHT CHROMIUM, then one JSON command per line on standard
// input, {"do": NAME, …}, each answered with one JSON line.
import { createInterface } from "node:readline";

const [playwright, executablePath] = process.argv.slice(2);
const { chromium } = (await import(playwright)).default;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();
let complaints = [];
page.on("console", (message) => {
  const ours = message.text().includes("getImageData");  // the test reads the charts back
  if (!ours && (message.type() === "error" || message.type() === "warning")) complaints.push(message.text());
});
page.on("pageerror", (error) => complaints.push(String(error)));
await page.addInitScript(() => {
  addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push({
    time: entry.startTime, value: entry.value, of: entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.nodeName) })))
    .observe({ type: "layout-shift", buffered: true });
});

const commands = {
  open: ({ url }) => page.goto(url).then(() => null),
  look: ({ width, height, scheme }) =>
    Promise.all([page.setViewportSize({ width, height }), page.emulateMedia({ colorScheme: scheme })]),
  screenshot: ({ path }) => page.screenshot({ path, fullPage: true }).then(() => null),
  // Runs an expression in the page until it is true. (waitForFunction needs eval, which the page's policy forbids.)
  async wait({ until }) {
    for (const end = Date.now() + 20000; Date.now() < end;) {
      if (await page.evaluate(until)) return true;
      await new Promise((resume) => setTimeout(resume, 50));
    }
    throw new Error("it never was");
  },
  get: ({ value }) => page.evaluate(value),
  fill: ({ into, text }) => page.fill(into, text),
  press: ({ key }) => page.keyboard.press(key),
  complaints() {
    const told = complaints;
    complaints = [];
    return told;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...rest } = JSON.parse(line);
  try {
    console.log(JSON.stringify({ value: (await commands[name](rest)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
await browser.close();
