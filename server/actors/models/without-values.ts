/** What engines quote that is neither a name nor a value. */
const figures = /^(field list|(where|on|order|having|group|from) (clause|statement)|end of input)$/i;

/**
 * An engine's error message without the values that it quotes from rows (`invalid input syntax for type integer:
 * "4111-1111"`), which must not leave the service. Keeps quoted names that occur in the statement or are known. If in
 * doubt, removes rather too much.
 */
export function withoutValues(message: string, sql: string, knownNames: ReadonlySet<string>): string {
  const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu));
  const isName = (quoted: string) => {
    const last = quoted.toLowerCase().split(".").at(-1) ?? "";
    return figures.test(quoted) || words.has(last) || knownNames.has(last) || sql.includes(quoted);
  };
  const hidden = (whole: string, quote: string, quoted: string) =>
    quoted !== "" && isName(quoted) ? whole : `${quote}…${quote}`;

  const plain = message
    // An apostrophe is not a quotation mark.
    .replace(/(?<=n)'(?=t\b)/g, "’")
    // Whatever a value contains, it ends at the last quotation mark.
    .replace(/(?<=: )(["'])([\s\S]*)\1/g, hidden)
    .replace(/=\([\s\S]*\)/g, "=(…)");
  return ['"', "'", "`"]
    .reduce((text, quote) => {
      const isOdd = (text.split(quote).length - 1) % 2 === 1;
      return isOdd
        ? text.replace(new RegExp(`${quote}[\\s\\S]*(?:${quote}|$)`), `${quote}…${quote}`)
        : text.replace(new RegExp(`(${quote})([^${quote}]*)${quote}`, "g"), hidden);
    }, plain)
    .replaceAll("’", "'");
}
