import type { Contract, Overview, Trend } from "@/server/data-quality/schema.ts";

/** The overview's tables as rows: what the service scored, joined with the contracts that watch each table. */

export type SourceQuality = Overview["items"][number];

export type TableRow = {
  schemaName: string;
  tableName: string;
  /** null for a table whose contracts have not been evaluated yet. */
  score: number | null;
  previousScore: number | null;
  trend: Trend | null;
  evaluatedAt: string | null;
  contracts: { id: number; name: string }[];
};

export const tableOrders = ["score", "table", "trend", "evaluated"] as const;
export type TableOrder = (typeof tableOrders)[number];

/** A source's scored tables, then those that a contract watches but nothing has scored. */
export function tableRows(source: SourceQuality, contracts: readonly Contract[]): TableRow[] {
  const rows = new Map<string, TableRow>();
  const at = (table: { schemaName: string; tableName: string }) =>
    JSON.stringify([table.schemaName, table.tableName]);
  for (const { schemaName, tableName, currentScore, previousScore, trend, evaluatedAt } of source.tables)
    rows.set(at({ schemaName, tableName }), {
      schemaName,
      tableName,
      score: currentScore,
      previousScore,
      trend,
      evaluatedAt,
      contracts: [],
    });
  for (const { id, name, dataSourceId, schemaName, tableName } of contracts) {
    if (dataSourceId !== source.dataSourceId) continue;
    const row = rows.get(at({ schemaName, tableName })) ?? {
      schemaName,
      tableName,
      score: null,
      previousScore: null,
      trend: null,
      evaluatedAt: null,
      contracts: [],
    };
    row.contracts.push({ id, name });
    rows.set(at(row), row);
  }
  return [...rows.values()];
}

/** Whether the table, or a contract on it, has every word of the search in its name. */
export function isFound(row: TableRow, search: string): boolean {
  const text = [`${row.schemaName}.${row.tableName}`, ...row.contracts.map(({ name }) => name)]
    .join(" ")
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const trendRank: Record<Trend, number> = { Degrading: 0, Stable: 1, Improving: 2 };

/** In the order asked for; what has no score stands last either way, and ties are in order of their names. */
export function inOrder(rows: readonly TableRow[], order: TableOrder, direction: "asc" | "desc"): TableRow[] {
  const value = (row: TableRow): number | string | null => {
    if (order === "table") return `${row.schemaName}.${row.tableName}`;
    if (order === "score") return row.score;
    if (order === "evaluated") return row.evaluatedAt;
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
