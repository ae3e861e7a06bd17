import type { Fault } from "../../findings/fault.ts";
import type { Briefing } from "../briefing.ts";
import type { WishedCheck } from "../wished-checks.ts";
import type { Wishes } from "../wishes.ts";
import { type Check, keyOf, type Table } from "./check.ts";
import { canBeWritten, findTable } from "./table-facts.ts";
import { isExcludedColumn, isWantedTable } from "./wishes.ts";
import { findingIdentity } from "./written-finding.ts";

/** The content of one query: the rows of some findings of a table, or a check that fails because of one. */
export type Ask = { table: Table; faults: Fault[]; check: Check | null };

export type FaultChoice = {
  /** What looks wrong in the selected tables and columns, worst first. */
  faults: Fault[];
  /** Worst first. */
  asks: Ask[];
};

/** The kinds of checks, as people choose them, that correspond to each kind of finding. */
const kindsOfChecks: Record<Fault["kind"], WishedCheck | null> = {
  MissingValue: "NullRate",
  DisguisedMissing: "NullRate",
  Duplicate: "Uniqueness",
  Orphan: "Referential",
  OutOfRange: "Range",
  Format: "Pattern",
  Type: "Pattern",
  Variant: "Pattern",
  Inconsistent: null,
  Impossible: null,
  Stale: "Freshness",
  Truncated: "Volume",
  Encoding: "Pattern",
};
export const checkKindOf = (kind: Fault["kind"]) => kindsOfChecks[kind];

/** The share of the limit that may be used before findings of one table are combined. */
const shareOfRoom = 0.7;

/**
 * A query for each selected finding that has none yet. If there are too many, those of one table share a query, least
 * important first; those that still do not fit are left out.
 */
export function chooseFaults(
  briefing: Pick<Briefing, "findings" | "tables">,
  wishes: Wishes,
  { room, existing }: { room: number; existing: ReadonlySet<string> },
): FaultChoice {
  const faults = briefing.findings.items.filter((fault) => isWantedFault(fault, wishes));
  const asks = faults
    .filter((fault) => !findingIdentity(writtenOf([fault])).some((each) => existing.has(each)))
    .flatMap((fault) => askFor(fault, briefing.tables) ?? []);
  const target = Math.ceil(room * shareOfRoom);
  while (asks.length > target) {
    const shared = [
      ...Map.groupBy(
        asks.filter(({ check }) => check === null),
        ({ table }) => keyOf(table),
      ).values(),
    ]
      .filter((own) => own.length > 1)
      .sort((a, b) => b.length - a.length)[0];
    const [kept, last] = shared?.slice(-2) ?? [];
    if (!kept || !last) break;
    kept.faults.push(...last.faults);
    asks.splice(asks.indexOf(last), 1);
  }
  return { faults, asks: asks.slice(0, Math.max(0, room)) };
}

export const writtenOf = (faults: readonly Fault[]) => ({
  schemaName: faults[0]?.schemaName ?? "",
  tableName: faults[0]?.tableName ?? "",
  parts: faults.map(({ kind, columns }) => ({ kind, columns })),
});

function isWantedFault(fault: Fault, wishes: Wishes): boolean {
  const check = checkKindOf(fault.kind);
  return (
    isWantedTable(wishes, fault) &&
    (wishes.checks.length === 0 || (check !== null && wishes.checks.includes(check))) &&
    !fault.columns.some((column) => isExcludedColumn(wishes, fault, column))
  );
}

/** null if no query can express it. */
function askFor(fault: Fault, tables: readonly Table[]): Ask | null {
  const table = findTable(tables, fault);
  const names = [fault.schemaName, fault.tableName, ...fault.columns, fault.rowsSql ?? ""];
  if (!table || !names.every(canBeWritten)) return null;
  if (fault.condition !== null && fault.rowsSql !== null) return { table, faults: [fault], check: null };
  const check = checkFor(fault);
  return check && { table, faults: [fault], check };
}

/** For missing rows. */
function checkFor({ schemaName, tableName, rule }: Fault): Check | null {
  const { column, maxAgeMinutes, minRows } = rule?.configuration ?? {};
  if (rule?.type === "Freshness" && typeof column === "string" && typeof maxAgeMinutes === "number")
    return { kind: "Freshness", schemaName, tableName, column, maxAgeMinutes };
  if (rule?.type === "Volume" && typeof minRows === "number")
    return { kind: "Volume", schemaName, tableName, minRows };
  return null;
}
