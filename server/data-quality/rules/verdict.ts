import type { Cell, ResultSet } from "../../data-sources/engines/engine.ts";
import { Decimal } from "../decimal.ts";

/** The result of a measurement. Texts are for people; a score is exact until it is rounded for storage. */
export type Verdict = {
  passed: boolean;
  /** false for a rule whose SQL could not run, so that nothing was measured. */
  couldRun: boolean;
  score: Decimal;
  expectedValue: string | null;
  actualValue: string | null;
  message: string | null;
  /** The measured number in the type's unit, if there is one, for its own series. */
  measured: Decimal | null;
  /** The number of failing rows, or for Uniqueness values; null if not counted. */
  failing: Decimal | null;
  /** For a rule by group, the groups that fail, worst first. */
  groups?: JudgedGroups;
  /** The outcome if some of its failing values, and the rows that they are in, did not exist. */
  withoutValues?(gone: { values: number; rows: number }): Pick<Verdict, "passed" | "score">;
  /** Some of what fails, if measuring found it; other rules' failing rows are read later. */
  sample?: Pick<ResultSet, "columns" | "rows">;
  /** The known failures that do not count in `passed` and `score`. */
  known?: readonly KnownHere[];
};

/** A known failure as a result shows it. */
export type KnownHere = {
  id: number;
  /** The group or the value in words, masked as it was shown; null for the whole rule. */
  group: string | null;
  until: string;
  reason: string;
  by: string;
};

/** The values of a group's columns, and what was found in it. */
export type JudgedGroup = {
  key: Cell[];
  rows: number;
  /** Failing rows; null for a type that does not count them. */
  failing: number | null;
  actualValue: string | null;
};

export type JudgedGroups = {
  columns: { name: string; type: string }[];
  /** The number of all groups. */
  total: number;
  failed: JudgedGroup[];
  /** The outcome if the failing groups that are left out did not exist. */
  without(isLeftOut: (key: readonly Cell[]) => boolean): Pick<Verdict, "passed" | "score">;
};

type Told = {
  expected?: string;
  actual?: string | null;
  message?: string | null;
  score?: Decimal;
  measured?: Decimal | null;
  failing?: Decimal | string | null;
};

/** 100 or 0, unless a score is given. */
export function verdict(
  passed: boolean,
  { expected, actual, message, score, measured, failing }: Told,
): Verdict {
  const rows = failing == null ? null : new Decimal(failing);
  return {
    passed,
    couldRun: true,
    score: score ?? new Decimal(passed ? 100 : 0),
    expectedValue: expected ?? null,
    actualValue: actual ?? null,
    message: message ?? null,
    measured: measured ?? rows,
    failing: rows,
  };
}

export const pass = (told: Told) => verdict(true, told);
export const fail = (told: Told) => verdict(false, told);

/** The verdict on a rule whose SQL cannot run. The specification defines the start of its message. */
export const couldNotRun = (reason: string): Verdict => ({
  ...fail({ message: `Execution failed: ${reason}` }),
  couldRun: false,
});
