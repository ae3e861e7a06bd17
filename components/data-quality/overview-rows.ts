import type { Overview } from "@/server/data-quality/overview-schema.ts";
import type { Trend } from "@/server/data-quality/score-schema.ts";

/** The overview's rows: tables, with or without a score, each with its contracts. */

export type SourceQuality = Overview["items"][number];
export type UncoveredTable = NonNullable<SourceQuality["coverage"]>["uncovered"][number];

export type TableRow = Pick<
  SourceQuality["tables"][number],
  "schemaName" | "tableName" | "contracts" | "contractCount"
> & {
  /** The last measured score; null if never measured. */
  score: number | null;
  previousScore: number | null;
  trend: Trend | null;
  /** When it was last measured. */
  evaluatedAt: string | null;
  outage: SourceQuality["tables"][number]["outage"];
  /** Its latest scores, oldest first; null where an evaluation failed. */
  course: (number | null)[];
  /** Whether it has scores that the overview does not include. */
  isCourseLeftOut: boolean;
};

export const tableOrders = ["score", "table", "trend", "evaluated", "contracts"] as const;
export type TableOrder = (typeof tableOrders)[number];

/** A source's tables with scores, then those with a contract but no score yet. */
export function tableRows({
  tables,
  unevaluated,
}: Pick<SourceQuality, "tables" | "unevaluated">): TableRow[] {
  const scored = tables.map(
    ({ schemaName, tableName, measured, outage, ...table }): TableRow => ({
      schemaName,
      tableName,
      score: measured?.score ?? null,
      previousScore: measured?.previousScore ?? null,
      trend: measured?.trend ?? null,
      evaluatedAt: measured?.evaluatedAt ?? null,
      outage,
      contracts: table.contracts,
      contractCount: table.contractCount,
      course: scoresIn(table.history),
      isCourseLeftOut: table.history.length === 0,
    }),
  );
  const waiting = unevaluated.map(
    (table): TableRow => ({
      ...table,
      score: null,
      previousScore: null,
      trend: null,
      evaluatedAt: null,
      outage: null,
      course: [],
      isCourseLeftOut: false,
    }),
  );
  return [...scored, ...waiting];
}

/** The scores of a table's history; null where nothing could be measured. */
export const scoresIn = (history: readonly { score: number; couldNotEvaluate: boolean }[]) =>
  history.map(({ score, couldNotEvaluate }) => (couldNotEvaluate ? null : score));

/** Whether the names of the table or one of its contracts contain every word of the search. */
export function isFound(row: TableRow, search: string): boolean {
  return hasWords(
    [`${row.schemaName}.${row.tableName}`, ...row.contracts.map(({ name }) => name)].join(" "),
    search,
  );
}

/** The same for a table without a contract. */
export function matchesUncovered({ schemaName, tableName }: UncoveredTable, search: string): boolean {
  return hasWords(`${schemaName}.${tableName}`, search);
}

function hasWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

const trendRank: Record<Trend, number> = { Degrading: 0, Stable: 1, Improving: 2 };

/** Sorted by the given column; tables without a score come last in both directions, ties by name. */
export function inOrder(rows: readonly TableRow[], order: TableOrder, direction: "asc" | "desc"): TableRow[] {
  const value = (row: TableRow): number | string | null => {
    if (order === "table") return `${row.schemaName}.${row.tableName}`;
    if (order === "score") return row.score;
    if (order === "evaluated") return row.evaluatedAt;
    if (order === "contracts") return row.contractCount;
    return row.trend && trendRank[row.trend];
  };
  const name = (row: TableRow) => `${row.schemaName}.${row.tableName}`;
  return rows.toSorted((a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first === null || second === null)
      return Number(first === null) - Number(second === null) || name(a).localeCompare(name(b));
    const ascending = first < second ? -1 : first > second ? 1 : 0;
    return (direction === "asc" ? ascending : -ascending) || name(a).localeCompare(name(b));
  });
}
