import { emitKeypressEvents } from "node:readline";

/**
 * Single keys of a person: as they are pressed on a terminal, otherwise the characters of the input without white space.
 * @param {NodeJS.ReadStream} stream
 */
export function keysOf(stream) {
  /** @type {string[]} */
  const pressed = [];
  /** @type {(() => void) | null} */
  let wake = null;
  let isOver = false;
  const awake = () => {
    wake?.();
    wake = null;
  };
  const end = () => {
    isOver = true;
    awake();
  };
  /** @param {string} text */
  const add = (text) => {
    pressed.push(...text.replaceAll(/\s/g, "").toLowerCase());
    awake();
  };
  /**
   * @param {string | undefined} text
   * @param {{ ctrl?: boolean, name?: string }} key
   */
  const onKey = (text, key) => {
    // A terminal in raw mode ends nothing by itself.
    if ((key.ctrl && (key.name === "c" || key.name === "d")) || key.name === "escape") end();
    else if (text) add(text);
  };
  const isTerminal = stream.isTTY;
  if (isTerminal) {
    emitKeypressEvents(stream);
    stream.setRawMode(true);
    stream.on("keypress", onKey);
  } else stream.setEncoding("utf8").on("data", add);
  stream.on("end", end);
  stream.resume();

  return {
    /**
     * The next key that is one of these; others are ignored. null when the input is over.
     * @param {string[]} wanted
     * @returns {Promise<string | null>}
     */
    async next(wanted) {
      for (;;) {
        const key = pressed.shift();
        if (key === undefined) {
          if (isOver) return null;
          await new Promise((resolve) => {
            wake = () => resolve(undefined);
          });
        } else if (wanted.includes(key)) return key;
      }
    },
    close() {
      if (isTerminal) {
        stream.setRawMode(false);
        stream.off("keypress", onKey);
      } else stream.off("data", add);
      stream.off("end", end);
      stream.pause();
    },
  };
}
