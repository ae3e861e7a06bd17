import type { Edit } from "@/server/edits/schema.ts";

/** Values that merge as one, with the properties they consist of. */
const parts: Record<string, readonly string[]> = { target: ["dataSourceId", "schemaName", "tableName"] };

/** The last edit that changed the value at a path: who and when. */
export function editOf(path: string, edits: readonly Edit[]): Edit | undefined {
  const paths = parts[path] ?? [path];
  const isOf = (changed: string) => paths.some((each) => each === changed || each.startsWith(`${changed}.`));
  return edits.findLast(({ changes }) => changes.some((change) => isOf(change.path)));
}

/** Who has edited since: "Anna", "Anna and Ben", "Anna and 2 others". */
export function editorsIn(edits: readonly Edit[]): string {
  const names = [...new Set(edits.filter(({ changes }) => changes.length > 0).map(({ by }) => by.name))];
  const [first, second] = names;
  if (first === undefined) return "Someone else";
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`;
}
