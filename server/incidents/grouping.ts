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
/** How long a fault may take to reach a table that is made from the first, or refers to it. */
export const spreadMs = 24 * 60 * minute;

export const keyOf = ({ dataSourceId, schemaName, tableName }: TableReference): string =>
  JSON.stringify([dataSourceId, schemaName, tableName]);

/** What is known of the surroundings of a problem's tables, by keys. */
export type Surroundings = {
  /** Tables that they are made from, or that are made from them. */
  line: ReadonlySet<string>;
  /** Tables that are made from something that they are made from, too. */
  siblings: ReadonlySet<string>;
  /** Tables that refer to them, or that they refer to. */
  linked: ReadonlySet<string>;
  /** Whether anything is known of what they are made from, or what is made from them. */
  isKnown: boolean;
  /** The same of a table of another problem. */
  knows(key: string): boolean;
};

/**
 * The incident that a new problem joins, or null if it opens its own. In this order: one about the same table; one of
 * a data source that cannot be reached; one of a table upstream or downstream, or that a foreign key links to this one, if it began
 * within a day; one that began at the same moment in the same data source, unless lineage knows both and says that they have
 * nothing to do with each other. Of several, the newest.
 */
export function incidentFor(
  problem: Placed,
  current: readonly CurrentIncident[],
  { line, siblings, linked, isKnown, knows }: Surroundings,
): number | null {
  const newestFirst = current.toSorted((a, b) => b.openedAt.getTime() - a.openedAt.getTime());
  const own = new Set(problem.tables.map(keyOf));
  const since = (other: Placed) => Math.abs(problem.beganAt.getTime() - other.beganAt.getTime());
  const sharesSource = (other: Placed) =>
    other.dataSourceIds.some((id) => problem.dataSourceIds.includes(id));
  const areBothBlind = (other: Placed) => isBlind(other.kind) && isBlind(problem.kind);
  const isNear = (keys: ReadonlySet<string>) => (other: Placed) =>
    isBlind(other.kind) === isBlind(problem.kind) &&
    since(other) <= spreadMs &&
    other.tables.some((table) => keys.has(keyOf(table)));
  const areStrangers = (other: Placed) =>
    !isBlind(problem.kind) &&
    isKnown &&
    other.tables.length > 0 &&
    other.tables.map(keyOf).every((key) => knows(key) && !siblings.has(key));
  const ways: ((other: Placed) => boolean)[] = [
    (other) => other.tables.some((table) => own.has(keyOf(table))),
    (other) =>
      sharesSource(other) &&
      areBothBlind(other) &&
      (other.kind === "NotEvaluated" || problem.kind === "NotEvaluated"),
    isNear(line),
    isNear(linked),
    (other) =>
      sharesSource(other) &&
      isBlind(other.kind) === isBlind(problem.kind) &&
      since(other) <= (isBlind(problem.kind) ? sameFailureMs : sameMomentMs) &&
      !areStrangers(other),
  ];
  for (const isSame of ways) {
    const found = newestFirst.find(({ problems }) => problems.some(isSame));
    if (found) return found.id;
  }
  return null;
}
