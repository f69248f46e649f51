// Numbers as text. What is missing or not finite is a dash.
const DASH = "–";
const known = (x) => typeof x === "number" && Number.isFinite(x);

export const decimal = (x, digits = 4) => (known(x) ? x.toFixed(digits) : DASH);
export const whole = (x) => (known(x) ? Math.round(x).toLocaleString("en-US") : DASH);
export const percent = (x, digits = 1) => (known(x) ? `${(100 * x).toFixed(digits)}%` : DASH);
export const rate = (x) => (known(x) ? `${x < 10 ? x.toFixed(1) : whole(x)}/s` : DASH);

export function clock(seconds) {
  return known(seconds) ? new Date(1000 * seconds).toLocaleTimeString("en-GB") : DASH;
}

export function duration(seconds) {
  if (!known(seconds)) return DASH;
  if (seconds < 1) return `${+(1000 * seconds).toPrecision(2)} ms`;
  for (const [unit, size, next] of [["s", 1, 60], ["min", 60, 3600], ["h", 3600, 86400]]) {
    if (seconds < next) return `${+(seconds / size).toFixed(1)} ${unit}`;
  }
  return `${+(seconds / 86400).toFixed(1)} d`;
}

// Short labels of an axis of counts: 12k, 3M.
export function short(x) {
  if (!known(x)) return "";
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (Math.abs(x) >= size) return `${+(x / size).toPrecision(3)}${unit}`;
  }
  return `${+x.toPrecision(3)}`;
}
