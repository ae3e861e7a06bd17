import type { Cell, Check, CheckLimits, ResultSet } from "../engine.ts";
import type { Explain } from "../explain.ts";

type Plan = Pick<ResultSet, "columns" | "rows">;

/** Costs are only in the JSON format, and what is read only in the table format, so estimates need both. */
export async function checkByPlan(explain: Explain, { estimates = false }: CheckLimits): Promise<Check> {
  const plan = await explain("explain");
  const scans = !isAnsweredByIndex(plan);
  if (!estimates) return { scans };
  const { rows } = await explain("explain format=json");
  const [estimatedCost, estimatedRows] = [costIn(rows[0]?.[0] ?? null), rowsIn(plan)];
  return {
    scans,
    ...(estimatedCost !== null && { estimatedCost }),
    ...(estimatedRows !== null && { estimatedRows }),
  };
}

/**
 * Whether a plan (EXPLAIN) finds its answer at the end of an index: MySQL then reports that it needs no table for the
 * query itself; what its subqueries look up does not count. Anything else reads a table.
 */
export function isAnsweredByIndex(plan: Plan): boolean {
  const own = readingsOf(plan, ["PRIMARY", "SIMPLE"]);
  return own.length > 0 && own.every(({ extra }) => String(extra).startsWith("Select tables optimized away"));
}

/**
 * The number of rows that the statement and its unions read, joins included. Grouping and limits reduce the result, but
 * a plan does not say by how much.
 */
export function rowsIn(plan: Plan): number | null {
  const readings = readingsOf(plan, ["PRIMARY", "SIMPLE", "UNION"]);
  let total = 0;
  for (const joined of Map.groupBy(readings, ({ id }) => String(id)).values())
    total += joined.reduce((rows, reading) => rows * joinedRows(reading), 1);
  return readings.length > 0 && Number.isFinite(total) ? total : null;
}

/** MariaDB only reports filtering in JSON. Lines that read no table have no rows and return one. */
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
 * The cost of a plan (EXPLAIN FORMAT=JSON): of the statement, or else the sum of its parts. MySQL writes
 * `cost_info.query_cost`, or `estimated_total_cost` in its second format version; MariaDB writes `cost` since version
 * 11, and no costs before.
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
