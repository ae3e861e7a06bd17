/** People whom a text names as `@name`. Pure. */

type Person = { id: number; name: string };

const isPartOfWord = /[\p{L}\p{M}\p{N}_]/u;

/**
 * The people named after an `@` that begins a word. Names may contain blanks, and case does not matter; of two names that
 * both fit, the longer one is meant, and of the same name, everyone.
 */
export function mentionedIn<Someone extends Person>(text: string, people: readonly Someone[]): Someone[] {
  const lower = text.toLowerCase();
  const meant = new Set<Someone>();
  for (let at = lower.indexOf("@"); at >= 0; at = lower.indexOf("@", at + 1)) {
    if (isPartOfWord.test(lower.slice(0, at).at(-1) ?? "")) continue;
    const fitting = people.filter(({ name }) => {
      const wanted = name.trim().toLowerCase();
      const after = lower.slice(at + 1 + wanted.length).match(/^./u)?.[0] ?? "";
      return wanted !== "" && lower.startsWith(wanted, at + 1) && !isPartOfWord.test(after);
    });
    const longest = Math.max(0, ...fitting.map(({ name }) => name.trim().length));
    for (const person of fitting) if (person.name.trim().length === longest) meant.add(person);
  }
  return [...meant];
}
