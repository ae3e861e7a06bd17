import type { ObservedTable } from "../../profile/observed-table.ts";
import { figure, plural } from "../../text.ts";
import type { Candidate, ObservedDatabase } from "../candidate.ts";
import { medianOf } from "../measured.ts";

/** Parts are alike when so many of the others have at most so many times the usual rows, or one so-manieth. */
const limits = { parts: 3, share: 0.25, uneven: 2.5, alike: 0.7, usual: 50 };

/** A table that is one of several by its name, as `sales_2023` is, with far fewer rows than each of the others. */
export function smallPartsIn(table: ObservedTable, database: ObservedDatabase): Candidate[] {
  const family = familyOf(table);
  const parts = (family !== null && familiesIn(database).get(family)) || [];
  const others = parts.filter((each) => each !== table).map(({ totalRows }) => totalRows);
  const usual = medianOf(others);
  const alike = others.filter((rows) => rows >= usual / limits.uneven && rows <= usual * limits.uneven);
  // The first part may have begun late, and the last may not be over.
  const isInside = parts[0] !== table && parts.at(-1) !== table;
  if (parts.length < limits.parts || !isInside || alike.length < others.length * limits.alike) return [];
  if (usual < limits.usual || table.totalRows > usual * limits.share) return [];
  return [
    {
      kind: "Truncated",
      table,
      columns: [],
      rows: new Int32Array(0),
      condition: null,
      outOf: Math.max(1, table.rowCount),
      statement:
        `${table.tableName} has only ${plural(table.totalRows, "row")}; the ` +
        `${plural(others.length, "table")} like it usually have ${figure(usual)}.`,
      rule: { type: "Volume", configuration: { minRows: Math.floor(usual / 2) } },
      features: {
        depth: 1 - table.totalRows / usual,
        even: alike.length / others.length,
        isPart: 1,
        parts: Math.min(1, others.length / 10),
        usual: Math.min(1, Math.log10(usual) / 6),
      },
      evidence: {},
    },
  ];
}

/** Each table asks for its family: they are gathered once. */
const gathered = new WeakMap<ObservedDatabase, ReadonlyMap<string, readonly ObservedTable[]>>();

/** The tables of each family, in the order of their numbers. */
function familiesIn(database: ObservedDatabase): ReadonlyMap<string, readonly ObservedTable[]> {
  const before = gathered.get(database);
  if (before) return before;
  const families = new Map<string, readonly ObservedTable[]>();
  for (const [family, tables] of Map.groupBy(database.tables, familyOf))
    if (family !== null)
      families.set(
        family,
        tables.toSorted((a, b) => a.tableName.localeCompare(b.tableName, "en", { numeric: true })),
      );
  gathered.set(database, families);
  return families;
}

/**
 * What the parts have in common: the schema, the name without its number, and the columns. null for a name without a
 * number.
 */
function familyOf({ schemaName, tableName, columns }: ObservedTable): string | null {
  if (!/\d/.test(tableName)) return null;
  return JSON.stringify([schemaName, tableName.replace(/\d+/g, "#"), columns.map(({ name }) => name).join()]);
}
