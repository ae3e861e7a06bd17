import type { ObservedTable } from "../profile/observed-table.ts";
import type { Condition } from "./condition.ts";
import type { FindingKind } from "./kinds.ts";

/** A database as it was read for a scan. */
export type ObservedDatabase = {
  tables: readonly ObservedTable[];
  /** By the data source's clock, in milliseconds since 1970. */
  now: number;
  /** Whether it is a copy, as a file is: that nothing came into it since says nothing. */
  isCopy?: boolean;
};

/** A statement that holds for nearly all rows of a table, with the rows against it. */
export type Candidate = {
  kind: FindingKind;
  table: ObservedTable;
  /** Whose values are doubted. */
  columns: readonly string[];
  /** The rows against it, of those that were read, in order. Empty where what is missing are rows. */
  rows: Int32Array;
  /** Says the same of the whole table; null where what is missing are rows. */
  condition: Condition | null;
  /** How many of the rows that were read the statement speaks of. */
  outOf: number;
  /** One sentence in the table's own words, that a person can agree with. */
  statement: string;
  /** What a contract would take, to be told of such rows from now on. */
  rule: RuleProposal | null;
  /** Figures that the judge weighs, by their names in `weights.ts`. Each is 0 where it does not apply. */
  features: Readonly<Record<string, number>>;
  /** The figures behind the sentence, for the page that explains it. */
  evidence: Evidence;
};

export type RuleProposal = { type: string; configuration: Readonly<Record<string, unknown>> };

export type Evidence = {
  /** The doubted values with how often each occurs, most frequent first. */
  doubted?: readonly { value: string; rows: number }[];
  /** What is usual instead. */
  usual?: readonly { value: string; rows: number }[];
  /** Between what the bulk of the values lies. */
  range?: { low: string; high: string; median: string };
  /** When it began, where it is one load or day. */
  since?: string;
  /** How many rows came when, where that shows the hole, the end or the load. */
  timeline?: Timeline;
  /** How the values are written, where those in doubt are written otherwise: most frequent first. */
  shapes?: readonly { shape: string; example: string; rows: number; isInDoubt: boolean }[];
};

/** Rows by the hour, day, week or month of a column of moments, oldest first, without gaps. */
export type Timeline = {
  column: string;
  unit: "Hour" | "Day" | "Week" | "Month";
  periods: readonly {
    /** `2026-11-18`, or `2026-11-18 03:00` of an hour. */
    start: string;
    rows: number;
    /** How many of these are doubted; left out where what is missing are rows. */
    doubtedRows?: number;
    /** How many rows are usual then, where that is known. */
    usual?: number;
    isInDoubt: boolean;
  }[];
};

/** Looks at one table, beside the others of its database. Pure. */
export type Detector = (table: ObservedTable, database: ObservedDatabase) => Candidate[];
