/** Whether a name occurs in some SQL as a word, in any case; one that is no word, anywhere in it. */
export function namedIn(statements: readonly string[]): (name: string) => boolean {
  const words = new Set(statements.flatMap((sql) => sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []));
  const text = statements.join("\n").toLowerCase();
  return (name) =>
    /^[\p{L}\p{N}_$]+$/u.test(name) ? words.has(name.toLowerCase()) : text.includes(name.toLowerCase());
}
