import type { ObservedColumn } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, plural } from "../../text.ts";
import type { Candidate, ObservedDatabase } from "../candidate.ts";
import { parentsIn, referenceOf } from "./parents.ts";

/** Nearly all parents have children, and so many at the end have none, which are no more than this part of all. */
const limits = { share: 0.95, tail: 5, ofAll: 0.3 };

/** Parents at the end of their table without a row in this one, where nearly all others have some. */
export function missingChildrenIn(table: ObservedTable, database: ObservedDatabase): Candidate[] {
  const parents = parentsIn(database);
  return table.columns.flatMap((column) => {
    const parent = column.references
      ? parents.find(({ table: { schemaName, tableName }, column: key }) => {
          const to = column.references;
          return to?.schemaName === schemaName && to.tableName === tableName && to.columnName === key.name;
        })
      : referenceOf(table, column, parents, database)?.parent;
    return parent && parent.table !== table ? (tailOf(table, column, parent.table, parent.column) ?? []) : [];
  });
}

function tailOf(
  table: ObservedTable,
  column: ObservedColumn,
  other: ObservedTable,
  key: ObservedColumn,
): Candidate | null {
  const used = new Set(column.values);
  // In the order of their numbers, or in which they stand.
  const order = [...key.values.keys()];
  if (key.numbers) order.sort((a, b) => (key.numbers?.[a] ?? 0) - (key.numbers?.[b] ?? 0));
  let tail = 0;
  while (tail < order.length && !used.has(key.values[order[order.length - 1 - tail] ?? 0] ?? "")) tail++;
  const before = order.slice(0, order.length - tail);
  const having = before.filter((index) => used.has(key.values[index] ?? "")).length;
  const share = having / before.length;
  if (tail < limits.tail || tail > order.length * limits.ofAll || before.length < 30 || share < limits.share)
    return null;
  const first = key.values[order[order.length - tail] ?? 0] ?? "";
  const expected = Math.round((table.rowCount / having) * order.length * share);
  return {
    kind: "Truncated",
    table,
    columns: [column.name],
    rows: new Int32Array(0),
    condition: null,
    outOf: table.rowCount,
    statement:
      `The last ${plural(tail, "row")} of ${other.tableName}, from ${key.name} ${first} on, have none in ` +
      `${table.tableName}; ${figure((share * 100).toFixed(1))} % of the others have some.`,
    rule: { type: "Volume", configuration: { minRows: Math.floor(expected * 0.98) } },
    features: {
      share: (share - limits.share) / (1 - limits.share),
      tail: Math.min(1, Math.log10(tail) / 3),
      ofAll: tail / order.length,
      declared: Number(column.references !== undefined),
    },
    evidence: { since: first },
  };
}
