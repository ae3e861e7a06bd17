/** Blocks of right-to-left scripts: Hebrew, Arabic, and related ones. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Characters that override the direction of the following text, or end an isolation. */
const controls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A name for use in plain text, wrapped in Unicode isolates if it could change the direction of the text around it.
 */
export function isolated(name: string): string {
  const plain = name.replace(controls, "");
  return plain === name && !rightToLeft.test(name) ? name : `\u2068${plain}\u2069`;
}
