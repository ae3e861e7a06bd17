/** Texts as Slack takes them. Pure. */

/** Slack's three control characters; `<` could start a link or mention a whole channel. */
export const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Truncates to a length after escaping, without cutting an entity in two. */
export function escaped(text: string, max: number): string {
  const whole = escapeText(text);
  if (whole.length <= max) return whole;
  let cut = "";
  for (const point of text) {
    const next = escapeText(point);
    if (cut.length + next.length >= max) break;
    cut += next;
  }
  return `${cut}…`;
}
