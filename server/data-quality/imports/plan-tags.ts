import { maxTags, tag as storableTag } from "../../data-sources/tag-schema.ts";

/**
 * Tags of another tool's tables, as tags of the catalog. They follow the tool as long as nobody changes them here: a tag
 * that people added stays, and one that they removed does not come back. Pure.
 */

/** Tags that a tool had at the last import, and whether the import put them there, and nobody removed them since. */
export type RememberedTags = Readonly<Record<string, boolean>>;

export type PlannedTags = {
  /** All of the table's tags afterwards, in order. */
  tags: string[];
  added: string[];
  removed: string[];
  remembered: Record<string, boolean>;
  /** Those for which the table has too many already. */
  leftOut: string[];
};

export function planTags({
  now,
  wanted,
  remembered,
  again,
  isElsewhere,
}: {
  /** The table's tags in the catalog. */
  now: readonly string[];
  /** The tool's tags, as `catalogTags` returns them. */
  wanted: readonly string[];
  remembered: RememberedTags;
  /** Whether what was removed here is added once more. */
  again: boolean;
  /** Whether another import gives the table this tag too. */
  isElsewhere: (tag: string) => boolean;
}): PlannedTags {
  const before = new Map(Object.entries(remembered));
  const has = new Set(now);
  const removed = [...before]
    .sort()
    .flatMap(([tag, isOurs]) =>
      isOurs && has.has(tag) && !wanted.includes(tag) && !isElsewhere(tag) ? tag : [],
    );
  for (const tag of removed) has.delete(tag);
  const after = new Map<string, boolean>();
  const [added, leftOut]: [string[], string[]] = [[], []];
  for (const tag of wanted) {
    const known = before.get(tag);
    if (has.has(tag)) after.set(tag, known ?? false);
    else if (known !== undefined && !again) after.set(tag, false);
    else if (has.size >= maxTags) leftOut.push(tag);
    else {
      has.add(tag);
      added.push(tag);
      after.set(tag, true);
    }
  }
  return { tags: [...has].sort(), added, removed, remembered: Object.fromEntries(after), leftOut };
}

/** A tool's tags as the catalog writes them, and those that it cannot have. */
export function catalogTags(tags: readonly string[]): { fitting: string[]; others: string[] } {
  const parsed = tags.map((tag) => ({ tag, own: storableTag.safeParse(tag).data }));
  return {
    fitting: [...new Set(parsed.flatMap(({ own }) => own ?? []))],
    others: parsed.flatMap(({ tag, own }) => (own === undefined && tag.trim() !== "" ? tag : [])),
  };
}
