import type { SignedIn } from "../../auth/principal.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { problemIn } from "../../errors.ts";
import { type TableNode, tableKeyOf, walkLineage } from "../../lineage/service/walk.ts";
import { findTable } from "../../profile/service/find-table.ts";
import { countFailing } from "./explain-rows.ts";
import type { RowsAsked } from "./rows-asked.ts";

/** A column upstream in which rows fail in the same way. */
export type AlreadyUpstream = TableNode & {
  columnName: string;
  /** How many steps up. */
  steps: number;
  failing: number;
  rows: number;
  /** How near the number of failing rows is to that downstream, from 0 to 1. */
  agreement: number;
};

const max = { steps: 3, tables: 4 };

/**
 * The tables upstream in which the column that this one is made from fails in the same way, the furthest first: what is wrong
 * there already does not come from here. Tables that cannot be read are left out.
 */
export async function alreadyUpstream(
  ctx: SignedIn,
  { dataSourceId, table, column, failingIn }: RowsAsked,
  failingHere: number,
): Promise<AlreadyUpstream[]> {
  if (column === null || failingHere === 0) return [];
  const found: AlreadyUpstream[] = [];
  for (const { columnName, steps, ...node } of await columnsAbove(
    { dataSourceId, schemaName: table.schemaName, tableName: table.tableName },
    column,
  )) {
    const counted = await countIn(ctx, node, columnName, failingIn);
    if (!counted || counted.failing === 0) continue;
    const agreement = Math.min(counted.failing, failingHere) / Math.max(counted.failing, failingHere);
    found.push({ ...node, columnName, steps, ...counted, agreement });
  }
  return found.sort((one, other) => other.steps - one.steps);
}

async function countIn(
  ctx: SignedIn,
  { dataSourceId, ...name }: TableNode,
  column: string,
  failingIn: RowsAsked["failingIn"],
) {
  try {
    await getDataSource(ctx, dataSourceId);
    const table = await findTable(ctx, dataSourceId, name);
    if (!table.columns.some((each) => each.name === column)) return null;
    return await countFailing(dataSourceId, (dialect) => failingIn(table, column, dialect));
  } catch (error) {
    if (problemIn(error)) return null;
    throw error;
  }
}

/** The columns that a column is made from, by tables, nearest first. */
async function columnsAbove(
  start: TableNode,
  column: string,
): Promise<(TableNode & { columnName: string; steps: number })[]> {
  const { nodes, edges } = await walkLineage({
    ...{ start, columnName: column, direction: "Upstream", depth: max.steps, foreignKeys: false },
  });
  const columns = new Map([[tableKeyOf(start), new Set([column])]]);
  const found: (TableNode & { columnName: string; steps: number })[] = [];
  for (const node of nodes.toSorted((one, other) => other.step - one.step)) {
    if (!("tableName" in node) || node.step === 0) continue;
    const own = new Set<string>();
    for (const edge of edges)
      if (edge.from === node.key)
        for (const { from, to } of edge.columns)
          if (to !== null && columns.get(edge.to)?.has(to)) own.add(from);
    columns.set(node.key, own);
    const { dataSourceId, schemaName, tableName, step } = node;
    // A column that is made from several of one table is not one of them.
    if (own.size === 1)
      found.push({ dataSourceId, schemaName, tableName, steps: -step, columnName: [...own][0] ?? "" });
  }
  return found.slice(0, max.tables);
}
