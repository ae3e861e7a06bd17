import type { WatchedColumn } from "./tables.ts";

/** How a table's columns differ from before: "Column total is gone; amount is numeric(12,2), was integer". Null if they do not. Pure. */
export function schemaChange(before: readonly WatchedColumn[], now: readonly WatchedColumn[]): string | null {
  const former = new Map(before.map(({ name, type }) => [name, type]));
  const current = new Map(now.map(({ name, type }) => [name, type]));
  const named = (names: readonly string[], is: string, are: string) =>
    names.length === 0
      ? []
      : [names.length === 1 ? `Column ${names[0]} ${is}` : `Columns ${names.join(", ")} ${are}`];
  const parts = [
    ...named(
      [...former.keys()].filter((name) => !current.has(name)),
      "is gone",
      "are gone",
    ),
    ...now.flatMap(({ name, type }) => {
      const was = former.get(name);
      return was === undefined || was === type ? [] : [`Column ${name} is ${type}, was ${was}`];
    }),
    ...named(
      [...current.keys()].filter((name) => !former.has(name)),
      "is new",
      "are new",
    ),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}
