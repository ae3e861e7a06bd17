import type { Kind } from "../data-sources/kinds.ts";
import type { KnownTable } from "../data-sources/service/known-tables.ts";
import { keyIn, type Named } from "../data-sources/table-key.ts";
import { wordsIn } from "../db/words.ts";

type Known = Named & Pick<KnownTable, "kind" | "rowEstimate">;

/** The maximum number of tables listed: whoever has more left has seen enough. */
const maxUncovered = 200;

/**
 * Counts a data source's tables that contracts watch, and lists the others: tables before views, largest first, since
 * those matter most. A search limits the list to names that contain each of its words.
 */
export function coverageOf(kind: Kind, known: readonly Known[], watched: readonly Named[], search = "") {
  const keyOf = (table: Named) => keyIn(kind, table);
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
      .slice(0, maxUncovered),
  };
}
