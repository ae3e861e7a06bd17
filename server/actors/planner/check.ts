import type { BriefedTable } from "../briefing.ts";
import type { WishedCheck } from "../wishes.ts";

/** What the built-in planner can watch, by the types of rules. A check is a query whose rows are what is wrong: no rows, no fault. */
export const checkKinds = [
  "Freshness",
  "Volume",
  "NullRate",
  "Uniqueness",
  "Referential",
] as const satisfies readonly WishedCheck[];
export type CheckKind = (typeof checkKinds)[number];

export type TableName = { schemaName: string; tableName: string };

export type Check = TableName &
  (
    | { kind: "Freshness"; column: string; maxAgeMinutes: number }
    | { kind: "Volume"; minRows: number }
    | { kind: "NullRate"; columns: readonly string[]; shownWith: readonly string[] }
    /** `shownWith` is at most one column: the key of the first and the last row that has the value. */
    | { kind: "Uniqueness"; columns: readonly string[]; shownWith: readonly string[]; isWholeRow: boolean }
    | { kind: "Referential"; column: string; references: Reference; shownWith: readonly string[] }
  );
export type CheckOf<Kind extends CheckKind> = Extract<Check, { kind: Kind }>;
export type Reference = TableName & { columnName: string };

export type Table = BriefedTable;

export const keyOf = ({ schemaName, tableName }: TableName): string =>
  JSON.stringify([schemaName, tableName]);

/** Of a check and all others that watch the same in the same place, whatever their bounds. */
export function identityOf(check: Check): string {
  const of = () => {
    if (check.kind === "Uniqueness") return check.isWholeRow ? ["*"] : [...check.columns].sort();
    return check.kind === "Referential" ? [check.column] : [];
  };
  return JSON.stringify([check.kind, check.schemaName, check.tableName, ...of()]);
}

/** The columns of the check's own table that it reads. */
export function columnsOf(check: Check): string[] {
  switch (check.kind) {
    case "Freshness":
      return [check.column];
    case "Volume":
      return [];
    case "NullRate":
    case "Uniqueness":
      return [...check.columns, ...check.shownWith];
    case "Referential":
      return [check.column, ...check.shownWith];
  }
}
