import type { BriefedTable } from "../briefing.ts";
import type { WishedCheck } from "../wished-checks.ts";

/**
 * The checks of the built-in planner, by type of rule. A check is a query that returns what is wrong: no rows, no
 * fault.
 */
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
    /** `shownWith` has at most one column: the key of the first and last rows with the value. */
    | { kind: "Uniqueness"; columns: readonly string[]; shownWith: readonly string[]; isWholeRow: boolean }
    | { kind: "Referential"; column: string; references: Reference; shownWith: readonly string[] }
  );
export type CheckOf<Kind extends CheckKind> = Extract<Check, { kind: Kind }>;
export type Reference = TableName & { columnName: string };

export type Table = BriefedTable;

export const keyOf = ({ schemaName, tableName }: TableName): string =>
  JSON.stringify([schemaName, tableName]);

/** The same for all checks of the same thing in the same place, whatever their bounds. */
export function identityOf(check: Check): string {
  const of = () => {
    if (check.kind === "Uniqueness") return check.isWholeRow ? ["*"] : [...check.columns].sort();
    return check.kind === "Referential" ? [check.column] : [];
  };
  return JSON.stringify([check.kind, check.schemaName, check.tableName, ...of()]);
}

/** The columns that it reads from its own table. */
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
