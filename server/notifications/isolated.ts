/** Scripts that run from right to left: Hebrew, Arabic and their kin, by their blocks. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Characters that turn the text after them around, or end somebody else's isolation. */
const controls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A name inside a sentence of plain text, in Unicode's isolation marks where it could otherwise turn the words and
 * numbers around it. Other names are unchanged.
 */
export function isolated(name: string): string {
  const plain = name.replace(controls, "");
  return plain === name && !rightToLeft.test(name) ? name : `\u2068${plain}\u2069`;
}
