/**
 * Patterns of names: `*` is any text, `?` one character, and a backslash takes the next character literally. Upper and
 * lower case are the same. A pattern that begins with `!` leaves names out. Matching takes at most the product of both
 * lengths, whatever the pattern.
 */
export type NameMatcher = (name: string) => boolean;

type Part = "any" | "one" | { is: string };

/** Whether a name matches one of the patterns and none of those that leave out. Without patterns, every name does. */
export function nameMatcher(patterns: readonly string[]): NameMatcher {
  const isOut = (pattern: string) => pattern.startsWith("!");
  const wanted = patterns.filter((pattern) => !isOut(pattern)).map(partsOf);
  const unwanted = patterns.filter(isOut).map((pattern) => partsOf(pattern.slice(1)));
  return (name) => {
    const characters = [...name.toLowerCase()];
    const fits = (parts: readonly Part[]) => matches(parts, characters);
    return (wanted.length === 0 || wanted.some(fits)) && !unwanted.some(fits);
  };
}

function partsOf(pattern: string): Part[] {
  const characters = [...pattern.toLowerCase()];
  const parts: Part[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    if (character === "*") parts.push("any");
    else if (character === "?") parts.push("one");
    else if (character === "\\" && at + 1 < characters.length) {
      at += 1;
      parts.push({ is: characters[at] ?? "" });
    } else parts.push({ is: character });
  }
  return parts;
}

/** On a mismatch, only the latest `*` takes one more character: an earlier one could not do better. */
function matches(parts: readonly Part[], name: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let star: { part: number; at: number } | null = null;
  while (at < name.length) {
    const expected = parts[part];
    if (expected === "any") {
      star = { part, at };
      part += 1;
    } else if (expected === "one" || (expected !== undefined && expected.is === name[at])) {
      part += 1;
      at += 1;
    } else if (star) {
      star.at += 1;
      at = star.at;
      part = star.part + 1;
    } else return false;
  }
  return parts.slice(part).every((each) => each === "any");
}
