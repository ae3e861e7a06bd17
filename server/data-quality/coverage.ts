import type { Kind } from "../data-sources/schema.ts";
import type { KnownTable } from "../data-sources/service/known-tables.ts";
import { wordsIn } from "../db/words.ts";

type Named = { schemaName: string; tableName: string };
type Known = Named & Pick<KnownTable, "kind" | "rowEstimate">;

/** Who has more to do has seen enough. */
const mostUncovered = 200;

/**
 * How many of a data source's tables are watched, and which are not: tables before views, the largest first, as
 * those are missed most. With a search, the list is of those whose names hold each of its words.
 */
export function coverageOf(kind: Kind, known: readonly Known[], watched: readonly Named[], search = "") {
  // SQL Server does not tell upper from lower case in names; the others do, or keep them as they were created.
  const keyOf = ({ schemaName, tableName }: Named) => {
    const key = JSON.stringify([schemaName, tableName]);
    return kind === "SqlServer" ? key.toLowerCase() : key;
  };
  const covered = new Set(watched.map(keyOf));
  const uncovered = known.filter((table) => !covered.has(keyOf(table)));
  const words = wordsIn(search.toLowerCase());
  const isFound = ({ schemaName, tableName }: Known) =>
    words.every((word) => `${schemaName}.${tableName}`.toLowerCase().includes(word));
  const rank = ({ kind, rowEstimate }: Known) => (kind === "Table" ? (rowEstimate ?? 0) : -1);
  return {
    tableCount: known.length,
    coveredCount: known.length - uncovered.length,
    uncovered: uncovered
      .filter(isFound)
      .toSorted((a, b) => rank(b) - rank(a))
      .slice(0, mostUncovered),
  };
}
