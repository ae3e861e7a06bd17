import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { momentOf } from "../profile/plain-values.ts";
import type { Condition } from "./condition.ts";
import type { ProposedStatement } from "./review.ts";

const most = { values: 50, length: 200, columns: 4 };
const numberKinds = ["integer", "decimal", "float"];
const momentKinds = ["date", "time"];
const plainNumber = /^-?\d{1,30}(\.\d{1,30})?$/;
const isoMoment = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z?)?$/;

/**
 * A condition that a model has proposed as one of ours: only columns that the table has, of kinds that it makes sense
 * for, and bounds that are plain numbers or moments, since they become literals. null for anything else. Pure.
 */
export function conditionOf(
  table: ObservedTable,
  { where, condition: proposed }: ProposedStatement,
): Condition | null {
  const condition = bareCondition(table, proposed);
  if (condition === null || where === null) return condition;
  if (condition.is === "repeated" || !isValue(where.equals) || !columnIn(table, where.column)) return null;
  const only: Condition = { is: "oneOf", column: where.column, values: [where.equals] };
  return { is: "all", of: [only, condition] };
}

function bareCondition(table: ObservedTable, proposed: ProposedStatement["condition"]): Condition | null {
  switch (proposed.is) {
    case "null":
      return columnIn(table, proposed.column) && proposed;
    case "blank":
      return columnIn(table, proposed.column)?.kind === "text" ? proposed : null;
    case "oneOf": {
      const isSound =
        proposed.values.length > 0 && proposed.values.length <= most.values && proposed.values.every(isValue);
      return isSound && columnIn(table, proposed.column) ? proposed : null;
    }
    case "below":
    case "above": {
      const column = columnIn(table, proposed.column);
      const bound = column && boundOf(column, proposed.bound.trim());
      return bound ? { ...proposed, bound } : null;
    }
    case "greater": {
      const kinds = [proposed.left, proposed.right].map((name) => columnIn(table, name)?.kind ?? "");
      const isSound = [numberKinds, momentKinds].some((list) => kinds.every((kind) => list.includes(kind)));
      return isSound && proposed.left !== proposed.right ? proposed : null;
    }
    case "repeated": {
      const columns = [...new Set(proposed.columns)];
      const isSound = columns.length > 0 && columns.length <= most.columns;
      return isSound && columns.every((name) => columnIn(table, name)) ? { is: "repeated", columns } : null;
    }
  }
}

const columnIn = (table: ObservedTable, name: string): ObservedColumn | null =>
  table.columns.find((column) => column.name === name) ?? null;

const isValue = (value: string) =>
  value.length <= most.length && value.isWellFormed() && !value.includes("\u0000");

function boundOf({ kind }: ObservedColumn, bound: string): string | null {
  if (numberKinds.includes(kind)) return plainNumber.test(bound) ? bound : null;
  if (!momentKinds.includes(kind) || !isoMoment.test(bound)) return null;
  const moment = momentOf(bound);
  return Number.isFinite(moment) ? new Date(moment).toISOString() : null;
}

const shown = (values: readonly string[]) => values.map((value) => `“${value}”`).join(", ");

/** What is said of the rows in our own words: `shipped_at is missing where status is “shipped”`. Pure. */
export function conditionWords({ where, condition }: ProposedStatement): string {
  const what = bareWords(condition);
  return where === null ? what : `${what} where ${where.column} is ${shown([where.equals])}`;
}

function bareWords(condition: ProposedStatement["condition"]): string {
  switch (condition.is) {
    case "null":
      return `${condition.column} is missing`;
    case "blank":
      return `${condition.column} is empty`;
    case "oneOf":
      return `${condition.column} is ${shown(condition.values.slice(0, 3))}${condition.values.length > 3 ? " or alike" : ""}`;
    case "below":
    case "above":
      return `${condition.column} is ${condition.is} ${condition.bound}`;
    case "greater":
      return `${condition.left} is greater than ${condition.right}`;
    case "repeated":
      return `${condition.columns.join(" and ")} ${condition.columns.length > 1 ? "occur" : "occurs"} more than once`;
  }
}
