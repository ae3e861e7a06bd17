import type { ServerResponse } from "node:http";

/** What is shown after a tenth of a second seems to be there at once. */
const withinMs = 100;
const mostBytes = 64 * 1024;

/**
 * Sends together what is written to a response within a tenth of a second of its first part. Next sends the sketch of a page before
 * its content, often by some milliseconds only. Once a browser has begun to show a sketch, React leaves it there for 300 ms: pages
 * that were ready after 30 were there after 330. What comes later, and what is more than 64 kB, is sent as it comes.
 *
 * Not by `cork`: a full response that is corked never says that it has drained. The methods stay replaced, since others replace them
 * again, such as for compression.
 */
export function sendTogether(response: ServerResponse): void {
  const { write, end } = response;
  let held: Buffer[] | null = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  const release = () => {
    clearTimeout(timer);
    const parts = held ?? [];
    held = null;
    if (parts.length > 0) write.call(response, Buffer.concat(parts), "utf8");
  };
  const hold = (...[chunk, encoding, callback]: Parameters<typeof write>): boolean => {
    if (!held) return write.call(response, chunk, encoding, callback);
    if (held.length === 0) {
      timer = setTimeout(release, withinMs);
      // From here on, nobody may change them, as if the part had been sent.
      response.flushHeaders();
    }
    const isText = typeof chunk === "string";
    held.push(isText && typeof encoding === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    bytes += held.at(-1)?.length ?? 0;
    const written = typeof encoding === "function" ? (encoding as () => void) : callback;
    if (written) process.nextTick(written);
    if (bytes > mostBytes) release();
    return !response.writableNeedDrain;
  };
  const endAfterAll = (...last: Parameters<typeof end>) => {
    release();
    return end.apply(response, last);
  };
  Object.assign(response, { write: hold, end: endAfterAll });
  response.once("close", () => clearTimeout(timer));
}
