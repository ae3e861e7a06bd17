/** The width of texts on a terminal. */

const segmenter = new Intl.Segmenter();
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;

/** @param {string} character */
const widthOfOne = (character) => (wide.test(character) ? 2 : 1);

/** @param {string} text */
const charactersOf = (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** @param {string} text */
export const widthOf = (text) =>
  charactersOf(text).reduce((sum, character) => sum + widthOfOne(character), 0);

/**
 * @param {string} text
 * @param {number} width
 */
export const padded = (text, width) => text + " ".repeat(Math.max(0, width - widthOf(text)));

/**
 * With an ellipsis if something was cut off.
 * @param {string} text
 * @param {number} width
 */
export function cut(text, width) {
  // Avoids measuring a megabyte to show a few characters.
  const near = text.slice(0, width * 20);
  if (near.length === text.length && widthOf(near) <= width) return text;
  let kept = "";
  let left = width - 1;
  for (const character of charactersOf(near)) {
    left -= widthOfOne(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}

/**
 * Wrapped at blanks; a word longer than a line is split.
 * @param {string} text
 * @param {number} width
 */
export function wrapped(text, width) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const word of text.split(" ").flatMap((each) => pieces(each, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/**
 * @param {string} word
 * @param {number} width
 */
function pieces(word, width) {
  if (widthOf(word) <= width) return [word];
  const parts = [""];
  for (const character of charactersOf(word)) {
    const last = parts.at(-1) ?? "";
    if (widthOf(last + character) <= width) parts[parts.length - 1] = last + character;
    else parts.push(character);
  }
  return parts;
}
