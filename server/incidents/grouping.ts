import type { ProblemKind, TableReference } from "./schema.ts";
import { isBlind } from "./severity.ts";

/** Decides which incident a new problem belongs to. Pure. */

export type Placed = {
  kind: ProblemKind;
  dataSourceIds: readonly number[];
  tables: readonly TableReference[];
  beganAt: Date;
};

export type CurrentIncident = { id: number; openedAt: Date; problems: readonly Placed[] };

const minute = 60_000;
/** Checks of one data source that find something within this time probably read the same load. */
export const sameMomentMs = 5 * minute;
/** Checks that fail within this time probably fail for one reason. */
export const sameFailureMs = 10 * minute;
/** How long a fault may take to reach a table that refers to the first. */
export const spreadMs = 24 * 60 * minute;

export const keyOf = ({ dataSourceId, schemaName, tableName }: TableReference): string =>
  JSON.stringify([dataSourceId, schemaName, tableName]);

/**
 * The incident that a new problem joins, or null if it opens its own. In this order: one about the same table; one of
 * a data source that cannot be reached; one of a table that a foreign key links to this one, if it began within a day;
 * one that began at the same moment in the same data source. Of several, the newest.
 *
 * `linked`: the keys of tables that refer to this problem's tables, or that they refer to.
 */
export function incidentFor(
  problem: Placed,
  current: readonly CurrentIncident[],
  linked: ReadonlySet<string>,
): number | null {
  const newestFirst = current.toSorted((a, b) => b.openedAt.getTime() - a.openedAt.getTime());
  const own = new Set(problem.tables.map(keyOf));
  const since = (other: Placed) => Math.abs(problem.beganAt.getTime() - other.beganAt.getTime());
  const sharesSource = (other: Placed) =>
    other.dataSourceIds.some((id) => problem.dataSourceIds.includes(id));
  const areBothBlind = (other: Placed) => isBlind(other.kind) && isBlind(problem.kind);
  const ways: ((other: Placed) => boolean)[] = [
    (other) => other.tables.some((table) => own.has(keyOf(table))),
    (other) =>
      sharesSource(other) &&
      areBothBlind(other) &&
      (other.kind === "NotEvaluated" || problem.kind === "NotEvaluated"),
    (other) =>
      isBlind(other.kind) === isBlind(problem.kind) &&
      since(other) <= spreadMs &&
      other.tables.some((table) => linked.has(keyOf(table))),
    (other) =>
      sharesSource(other) &&
      isBlind(other.kind) === isBlind(problem.kind) &&
      since(other) <= (isBlind(problem.kind) ? sameFailureMs : sameMomentMs),
  ];
  for (const isSame of ways) {
    const found = newestFirst.find(({ problems }) => problems.some(isSame));
    if (found) return found.id;
  }
  return null;
}
