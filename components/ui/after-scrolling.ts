/** So long after the last movement, in milliseconds, nobody scrolls any more. */
const restMs = 150;

const waiting = new Set<() => void>();
let rest: ReturnType<typeof setTimeout> | undefined;

/** Calls back once the page has not been scrolled for a moment; returns a function that calls it off. */
export function afterScrolling(callBack: () => void): () => void {
  if (waiting.size === 0) {
    window.addEventListener("scroll", wait, { passive: true });
    wait();
  }
  waiting.add(callBack);
  return () => {
    waiting.delete(callBack);
    if (waiting.size === 0) stop();
  };
}

function wait(): void {
  clearTimeout(rest);
  rest = setTimeout(() => {
    const rested = [...waiting];
    waiting.clear();
    stop();
    for (const callBack of rested) callBack();
  }, restMs);
}

function stop(): void {
  clearTimeout(rest);
  window.removeEventListener("scroll", wait);
}
