import type { Named } from "./table-key.ts";

/** What a maintenance window or an incident policy is about. Pure; the browser loads this file too. */
export type Scope = {
  /** null: all data sources of the project. */
  dataSourceIds: readonly number[] | null;
  /** null: all tables, also of queries whose tables are not known. */
  tags: readonly string[] | null;
};

export type TableOfSource = Named & { dataSourceId: number };

/** What something reads: its data sources, and those of their tables that are known. */
export type Reads = { dataSourceIds: readonly number[]; tables: readonly TableOfSource[] };

/**
 * Whether something reads one of the data sources, or, if the scope has tags, a table of theirs that has one of them now.
 */
export function isInScope(
  { dataSourceIds, tags }: Scope,
  reads: Reads,
  tagsOf: (table: TableOfSource) => readonly string[],
): boolean {
  if (tags === null) return dataSourceIds?.some((id) => reads.dataSourceIds.includes(id)) ?? true;
  return reads.tables.some(
    (table) =>
      (dataSourceIds?.includes(table.dataSourceId) ?? true) &&
      tagsOf(table).some((tag) => tags.includes(tag)),
  );
}
