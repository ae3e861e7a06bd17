import type { Briefing } from "../briefing.ts";
import { type Exclusion, noWishes, type TableChoice, type Wishes } from "../wishes.ts";
import { type CheckKind, checkKinds, type TableName } from "./check.ts";

/** What an actor's standing wishes and those of a request mean for a table, a column, or a kind of check. */

/**
 * Combines the wishes of a request and of the actor: choices in the request replace the actor's. Exclusions of either
 * apply, except for what the request names itself.
 */
export function wishesOf({ actor, occasion }: Pick<Briefing, "actor" | "occasion">): Wishes {
  const standing = actor.wishes ?? noWishes;
  const asked = occasion.wishes ?? noWishes;
  const isAskedFor = (exclusion: Exclusion) => asked.tables.some((choice) => isSame(choice, exclusion));
  return {
    tables: asked.tables.length > 0 ? asked.tables : standing.tables,
    exclude: [...standing.exclude.filter((each) => !isAskedFor(each)), ...asked.exclude],
    checks: asked.checks.length > 0 ? asked.checks : standing.checks,
    schedule: asked.schedule ?? standing.schedule ?? null,
    maxChecks: asked.maxChecks ?? standing.maxChecks ?? null,
  };
}

const isSame = (one: TableChoice, other: Exclusion) =>
  one.schemaName === other.schemaName &&
  (one.tableName ?? null) === (other.tableName ?? null) &&
  !other.columnName;

const covers = (choice: TableChoice, { schemaName, tableName }: TableName) =>
  choice.schemaName === schemaName && (!choice.tableName || choice.tableName === tableName);

/** By itself, not only by its schema. */
export const isNamedTable = ({ tables }: Wishes, table: TableName) =>
  tables.some((choice) => Boolean(choice.tableName) && covers(choice, table));

/** Excluded entirely. */
export const isExcludedTable = ({ exclude }: Wishes, table: TableName) =>
  exclude.some((each) => !each.columnName && covers(each, table));

export const isExcludedColumn = ({ exclude }: Wishes, table: TableName, column: string) =>
  exclude.some((each) => each.columnName === column && covers(each, table));

export const isChosenTable = (wishes: Wishes, table: TableName) =>
  wishes.tables.length === 0 || wishes.tables.some((choice) => covers(choice, table));

export const isWantedTable = (wishes: Wishes, table: TableName) =>
  isChosenTable(wishes, table) && !isExcludedTable(wishes, table);

/** Chosen by name, when others were not. */
export const isNamedKind = ({ checks }: Wishes, kind: CheckKind) => checks.includes(kind);

export const isWantedKind = (wishes: Wishes, kind: CheckKind) =>
  wishes.checks.length === 0 || isNamedKind(wishes, kind);

/** The chosen kinds that this planner supports. */
export const wantedKinds = (wishes: Wishes): CheckKind[] =>
  checkKinds.filter((kind) => isWantedKind(wishes, kind));

/** How much more a table, and a kind of check on it, counts if chosen. */
export const weightOf = (wishes: Wishes, kind: CheckKind | null, table: TableName): number =>
  (isNamedTable(wishes, table) ? 100 : 0) + (kind !== null && isNamedKind(wishes, kind) ? 60 : 0);
