import {
  type Cell,
  type Check,
  type CheckLimits,
  type PlanNode,
  type ResultSet,
  SourceError,
} from "../engine.ts";
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

/** The plan as a tree. Never ANALYZE, which would run the statement. */
export async function readPlan(explain: Explain): Promise<PlanNode> {
  const { rows } = await explain("explain format=json");
  return planIn(rows[0]?.[0] ?? null);
}

export function planIn(plan: Cell): PlanNode {
  const nodes = nodesIn(parsed(plan));
  const [only] = nodes;
  if (!only) throw new SourceError("statement", "The server's plan could not be read");
  return nodes.length === 1
    ? only
    : { operation: "Statement", detail: null, rows: null, cost: null, inputs: nodes };
}

function parsed(plan: Cell): unknown {
  try {
    return JSON.parse(String(plan));
  } catch {
    return null;
  }
}

/** The parts of a plan that do something, by their names in the JSON of MySQL and MariaDB; others only hold parts. */
const operations: Record<string, string> = {
  query_block: "Select",
  table: "Table",
  ordering_operation: "Sort",
  grouping_operation: "Group",
  duplicates_removal: "Remove duplicates",
  windowing: "Window functions",
  union_result: "Union",
  materialized_from_subquery: "Materialize a subquery",
  materialized: "Materialize a subquery",
  filesort: "Sort",
  temporary_table: "Temporary table",
  window_functions_computation: "Window functions",
  "block-nl-join": "Join by blocks",
  expression_cache: "Cache of a subquery",
  having_subqueries: "Subqueries of HAVING",
};

function nodesIn(value: unknown, name = ""): PlanNode[] {
  if (Array.isArray(value)) return value.flatMap((each) => nodesIn(each));
  if (typeof value !== "object" || value === null) return [];
  const part = new Map<string, unknown>(Object.entries(value));
  const below = [...part].flatMap(([key, inner]) => nodesIn(inner, key));
  // The second version of MySQL's format names its operations itself.
  const own = part.get("operation");
  const operation = typeof own === "string" ? own : operations[name];
  if (operation === undefined) return below;
  const info = part.get("cost_info");
  const costs = new Map<string, unknown>(typeof info === "object" && info ? Object.entries(info) : []);
  const numberIn = (...found: unknown[]) => {
    const number = Number.parseFloat(String(found.find((each) => each !== undefined)));
    return Number.isFinite(number) ? number : null;
  };
  const ownCost = numberIn(costs.get("read_cost")) ?? numberIn(part.get("cost"));
  const evaluated = numberIn(costs.get("eval_cost")) ?? 0;
  const total = numberIn(costs.get("query_cost"), part.get("estimated_total_cost"));
  const inner = sumOf(below.map(({ cost }) => cost));
  // A table's cost is its own; that of a block or an operation includes what is below.
  const isTable = name === "table";
  const cost =
    total ??
    (ownCost === null ? inner : isTable ? ownCost + evaluated + (inner ?? 0) : Math.max(ownCost, inner ?? 0));
  const words = (key: string) => {
    const text = part.get(key);
    return typeof text === "string" ? text : null;
  };
  const isOwnText = typeof own === "string";
  const detail = isOwnText
    ? []
    : [
        words("table_name"),
        words("access_type") === "ALL" ? "whole table" : words("access_type"),
        words("key") && `index ${words("key")}`,
        words("attached_condition") && `where ${words("attached_condition")}`,
        words("message"),
      ].filter((each) => each !== null);
  return [
    {
      operation,
      detail: detail.length > 0 ? detail.join(", ") : null,
      rows: numberIn(part.get("rows_examined_per_scan"), part.get("rows"), part.get("estimated_rows")),
      cost,
      inputs: below,
    },
  ];
}

function sumOf(costs: readonly (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) : null;
}
