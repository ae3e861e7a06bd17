import { dialectOf } from "./dialects/dialects.ts";
import type { Kind } from "./kinds.ts";

export type Named = { schemaName: string; tableName: string };

/** A table's name as a key: equal for two names that refer to the same table on a server of that kind. */
export function keyIn(kind: Kind, { schemaName, tableName }: Named): string {
  const foldName = dialectOf(kind)?.foldName ?? ((name: string) => name);
  return JSON.stringify([foldName(schemaName), foldName(tableName)]);
}
