import type { Edit, FieldChange } from "./schema.ts";

/** Edits as a sentence each, oldest first: "Anna changed failureThreshold and added the rule “Fresh” at …". */
export function editsInWords(edits: readonly (Omit<Edit, "at"> & { at: Date })[]): string {
  return edits
    .filter(({ changes }) => changes.length > 0)
    .map(({ at, by, changes }) => `${by.name} ${changesInWords(changes)} at ${minute(at)}.`)
    .join(" ");
}

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const maxNames = 5;

/** "changed name and samples and added the rule “Fresh”". */
export function changesInWords(changes: readonly FieldChange[]): string {
  const named = changes.slice(0, maxNames);
  const verbs = { Changed: "changed", Added: "added", Removed: "removed" } as const;
  const parts = Object.entries(verbs).flatMap(([change, verb]) => {
    const things = named.filter((each) => each.change === change).map(thing);
    return things.length === 0 ? [] : `${verb} ${listed(things)}`;
  });
  const more = changes.length - named.length;
  return listed(more > 0 ? [...parts, `made ${more} more changes`] : parts);
}

const thing = ({ path, name }: FieldChange) => (name === null ? path : `the rule “${name}”`);

function listed(things: readonly string[]): string {
  return things.length < 2 ? things.join("") : `${things.slice(0, -1).join(", ")} and ${things.at(-1)}`;
}
