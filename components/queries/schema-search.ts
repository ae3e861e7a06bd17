import { containsWords } from "@/components/ui/matching.ts";
import type { DatabaseSchema } from "@/server/data-sources/database-schema.ts";

type Table = DatabaseSchema["items"][number]["tables"][number];
type Column = Table["columns"][number];

export type FoundTable = {
  schemaName: string;
  table: Table;
  /** The columns to show: those that match, or all if the table itself does. */
  columns: readonly Column[];
  /** Whether it was found by its columns alone, so that they have to be shown. */
  byColumns: boolean;
};

/**
 * The tables whose name, or one of whose columns, contains every word of the search: by name first, and at most
 * `limit`. `more` is how many were left out. The nearest schema's tables come first.
 */
export function searchSchema(
  items: DatabaseSchema["items"],
  search: string,
  { nearest, limit }: { nearest: string; limit: number },
): { found: FoundTable[]; more: number } {
  const inOrder = [
    ...items.filter(({ schemaName }) => schemaName === nearest),
    ...items.filter(({ schemaName }) => schemaName !== nearest),
  ];
  const typed = search.trim();
  const all = inOrder.flatMap(({ schemaName, tables }) =>
    tables.flatMap((table): FoundTable[] => {
      const { tableName, columns } = table;
      if (containsWords(`${schemaName}.${tableName}`, typed))
        return [{ schemaName, table, columns, byColumns: false }];
      const matching = columns.filter(({ name }) =>
        containsWords(`${schemaName}.${tableName}.${name}`, typed),
      );
      return matching.length === 0 ? [] : [{ schemaName, table, columns: matching, byColumns: true }];
    }),
  );
  const ranked = [...all.filter(({ byColumns }) => !byColumns), ...all.filter(({ byColumns }) => byColumns)];
  return { found: ranked.slice(0, limit), more: Math.max(0, ranked.length - limit) };
}
