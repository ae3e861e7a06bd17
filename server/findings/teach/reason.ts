import type { Condition } from "../condition.ts";
import type { FindingKind } from "../kinds.ts";

/**
 * Why some cells of a column may be wrong, all of them alike: a way of writing, a value that other rows contradict, an
 * empty cell. An answer about one of these cells says something about all of them.
 */
export type Reason = {
  /** Two reasons of one table never have the same. */
  key: string;
  /** What such cells are called when they are a finding. */
  kind: FindingKind;
  column: string;
  /** Reasons that have one of these in common tell a little about each other. */
  families: readonly string[];
  /** Completes “This cell …”. Without any value of the table, so that there is nothing to mask. */
  because: string;
  /** The rows whose cell it is, in order. */
  rows: Int32Array;
  /** How likely such a cell is wrong, before anybody was asked. */
  prior: number;
  /** Says the same of the whole table; null where SQL cannot, or not at a reasonable length. */
  condition: Condition | null;
};
