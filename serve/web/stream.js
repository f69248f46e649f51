// Server-sent events through fetch, which, unlike EventSource, can send a token.
const FIRST_WAIT = 500, LONGEST_WAIT = 8000;
const LONGEST_SILENCE = 40000;  // the server speaks every 15 s

export const headers = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

async function* events(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const data = block.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
      if (data.length > 0) yield data.join("\n");
    }
  }
}

// Follows a stream until the returned function is called. `on` has: document(parsed), denied() for a missing or wrong
// token, gone() for a 404, lost() each time the connection breaks. After the first two it ends, after `lost` it tries
// again.
export function follow(path, token, on) {
  let stopped = false, attempt = null, timer = 0;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => attempt.abort(), LONGEST_SILENCE);
  };
  const show = (document) => {
    try {
      on.document(document);
    } catch (error) {
      console.error(error);  // not a loss of the connection
    }
  };
  const once = async (received) => {
    attempt = new AbortController();
    alive();
    const response = await fetch(path, { headers: headers(token), signal: attempt.signal, cache: "no-store" });
    if (stopped) return true;
    if (response.status === 401) on.denied();
    if (response.status === 404) on.gone();
    if (response.status === 401 || response.status === 404) return true;
    if (!response.ok) throw new Error(`status ${response.status}`);
    for await (const data of events(response.body, alive)) {
      if (stopped) return true;
      received();
      show(JSON.parse(data));
    }
    return false;
  };
  const run = async () => {
    let wait = FIRST_WAIT;
    while (!stopped) {
      try {
        if (await once(() => { wait = FIRST_WAIT; })) return;
      } catch (error) {
        if (error.name !== "AbortError" && error.name !== "TypeError") console.warn(error);  // TypeError: no connection
      } finally {
        clearTimeout(timer);
        attempt?.abort();
      }
      if (stopped) return;
      on.lost();
      await new Promise((resume) => setTimeout(resume, wait));
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  };
  run();
  return () => {
    stopped = true;
    attempt?.abort();
  };
}
