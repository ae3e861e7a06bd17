import type { Cell, ResultSet } from "../engine.ts";

type Plan = Pick<ResultSet, "columns" | "rows">;

/**
 * Whether a plan (EXPLAIN) finds its answer at the end of an index: MySQL then says that it needs no table for the
 * query itself; what its subqueries look up does not count. Anything else reads a table.
 */
export function isAnsweredByIndex(plan: Plan): boolean {
  const own = readingsOf(plan, ["PRIMARY", "SIMPLE"]);
  return own.length > 0 && own.every(({ extra }) => String(extra).startsWith("Select tables optimized away"));
}

/**
 * How many rows the statement itself and those that are united with it go through: of each, what its joins come
 * to. Grouping and a limit make an answer of fewer rows, and a plan does not say of how many.
 */
export function rowsIn(plan: Plan): number | null {
  const readings = readingsOf(plan, ["PRIMARY", "SIMPLE", "UNION"]);
  let total = 0;
  for (const joined of Map.groupBy(readings, ({ id }) => String(id)).values())
    total += joined.reduce((rows, reading) => rows * joinedRows(reading), 1);
  return readings.length > 0 && Number.isFinite(total) ? total : null;
}

/** MariaDB says what it filters only in JSON. What reads no table has no rows here, and answers one. */
function joinedRows({ rows, filtered }: Reading): number {
  if (rows === null || !Number.isFinite(Number(rows))) return 1;
  return (Number(rows) * (filtered === null ? 100 : Number(filtered))) / 100;
}

type Reading = { id: Cell; extra: Cell; rows: Cell; filtered: Cell };

/** The lines of a plan for these kinds of SELECT. */
function readingsOf({ columns, rows }: Plan, selectTypes: readonly string[]): Reading[] {
  const names = columns.map(({ name }) => name.toLowerCase());
  const of = (name: string, row: readonly Cell[]) => row[names.indexOf(name)] ?? null;
  return rows
    .filter((row) => selectTypes.includes(String(of("select_type", row))))
    .map((row) => ({
      id: of("id", row),
      extra: of("extra", row),
      rows: of("rows", row),
      filtered: of("filtered", row),
    }));
}

/**
 * What a plan (EXPLAIN FORMAT=JSON) costs: what it says of the statement, or, where it says that only of its parts,
 * what they come to. MySQL writes `cost_info.query_cost`, or in its second version `estimated_total_cost`, and
 * MariaDB from its version 11 `cost`; before, it told no costs.
 */
export function costIn(plan: Cell): number | null {
  try {
    return costOf(JSON.parse(String(plan)));
  } catch {
    return null;
  }
}

type Part = { cost_info?: { query_cost?: unknown }; estimated_total_cost?: unknown; cost?: unknown };

function costOf(part: unknown): number | null {
  if (typeof part !== "object" || part === null) return null;
  const { cost_info: info, estimated_total_cost: total, cost }: Part = part;
  const own = Number.parseFloat(String(info?.query_cost ?? total ?? cost));
  if (Number.isFinite(own)) return own;
  const costs = Object.values(part).flatMap((inner) => costOf(inner) ?? []);
  return costs.length > 0 ? costs.reduce((sum, each) => sum + each) : null;
}
