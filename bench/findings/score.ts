import type { Candidate } from "../../server/findings/candidate.ts";
import { type Condition, columnsIn } from "../../server/findings/condition.ts";
import { momentOf } from "../../server/profile/plain-values.ts";
import type { Planted } from "./plant.ts";

/** How confident we are in a candidate, from 0 to 1. */
export type Judge = (candidate: Candidate) => number;

/** The verdict on a candidate in a database with planted faults. */
export type Verdict =
  /** At least half of its rows are planted, in a column that it names, or it follows from a planted fault. */
  | "right"
  /** Also on the clean copy, and a person agrees with it. */
  | "agreed"
  /** Also on the clean copy. */
  | "false alarm"
  /** A side effect of planting, but not a planted fault. */
  | "stray";

export const isRight = (verdict: Verdict): boolean => verdict === "right" || verdict === "agreed";

/** The same statement about the same columns, though its figures may differ. */
export const keyOf = ({ kind, table, columns }: Candidate): string =>
  `${kind} ${table.tableName} ${columns.toSorted().join()}`;

/**
 * Whether the fault is found: at least half of the finding is planted, and half of what was planted is in the finding.
 */
export function finds(candidate: Candidate, fault: Planted): boolean {
  if (fault.gap) return tellsOf(candidate, fault);
  if (!isAbout(candidate, fault)) return false;
  const hits = inBoth(candidate.rows, fault.rows);
  return hits > 0 && hits * 2 >= candidate.rows.length && hits * 2 >= fault.rows.length;
}

export function verdictOn(
  candidate: Candidate,
  faults: readonly Planted[],
  clean: ReadonlySet<string>,
  agreed: (candidate: Candidate) => boolean,
): Verdict {
  if (faults.some((fault) => tellsOf(candidate, fault))) return "right";
  const about = faults.filter((fault) => isAbout(candidate, fault));
  const planted = Int32Array.from(new Set(about.flatMap(({ rows }) => [...rows]))).toSorted();
  const hits = inBoth(candidate.rows, planted);
  if (hits > 0 && hits * 2 >= candidate.rows.length) return "right";
  if (!clean.has(keyOf(candidate))) return follows(candidate, faults) ? "right" : "stray";
  return agreed(candidate) ? "agreed" : "false alarm";
}

/** What a finding may be off by: loads of Friday are followed by those of Tuesday where Monday is a holiday. */
const slack = 4 * 86_400_000;

/** Whether a finding without rows is of the table that rows were taken from, and of the time when they came. */
function tellsOf({ table, rows, evidence }: Candidate, { gap, tableName }: Planted): boolean {
  if (!gap || rows.length > 0 || table.tableName !== tableName) return false;
  const moment = momentOf(evidence.since ?? "");
  return Number.isNaN(moment) || (moment >= gap.from - slack && moment < gap.to);
}

/**
 * Rows that reference a row whose key was changed are orphans, a wrong price makes a wrong total, and what a wrong make
 * is told to go with goes with another.
 */
function follows({ kind, table, columns, rows, condition }: Candidate, faults: readonly Planted[]): boolean {
  // Where moments are wrong, others are missing.
  if (rows.length === 0)
    return faults.some(
      (fault) =>
        fault.tableName === table.tableName && columns.some((column) => fault.columns.includes(column)),
    );
  if (!condition) return false;
  const parents = parentsIn(condition);
  const isOfParent = (fault: Planted) =>
    parents.some(
      (to) =>
        to.tableName === fault.tableName &&
        (fault.gap !== undefined || fault.columns.includes(to.columnName)),
    );
  if (faults.some(isOfParent)) return true;
  const read = columnsIn(condition);
  return (
    (kind === "Impossible" || kind === "Inconsistent") &&
    faults.some(
      (fault) =>
        fault.tableName === table.tableName &&
        fault.columns.some((column) => read.includes(column)) &&
        inBoth(rows, fault.rows) * 2 >= rows.length,
    )
  );
}

function parentsIn(condition: Condition): { tableName: string; columnName: string }[] {
  if (condition.is === "orphan") return [condition.parent];
  return condition.is === "all" || condition.is === "any" ? condition.of.flatMap(parentsIn) : [];
}

const isAbout = ({ table, columns }: Candidate, fault: Planted): boolean =>
  table.tableName === fault.tableName && columns.some((column) => fault.columns.includes(column));

/** How many numbers two ascending lists have in common. */
export function inBoth(left: Int32Array, right: Int32Array): number {
  const known = new Set(left);
  return right.reduce((count, row) => count + Number(known.has(row)), 0);
}
