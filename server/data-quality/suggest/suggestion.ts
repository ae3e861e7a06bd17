import type { ColumnProfile, ListedValue, TableProfile } from "../../profile/table-profile.ts";

/**
 * A rule proposed for a table, based on its profile: it currently holds and would detect a change. Bounds have some
 * margin, so that normal variation does not violate them.
 */
export type Suggestion<Configuration> = {
  /** The rule's name. */
  name: string;
  configuration: Configuration;
  /** The reason for it, in words and figures. */
  evidence: string;
  /** Defaults to Medium. */
  severity?: "Low" | "Medium" | "High";
  /** The values of a list, to choose from. */
  values?: SuggestedValue[];
  /** The fallback if this rule does not hold. */
  otherwise?: Suggestion<Configuration>;
};

/** One value of a suggested list. */
export type SuggestedValue = ListedValue & { isRare: boolean };

export type Suggesting = {
  schemaName: string;
  /** The pattern syntax of the data source's engine. */
  patterns: "regex" | "like";
  profile: TableProfile;
  /** The row count of the whole table; null if it could not be counted. */
  totalRows: number | null;
  /** What was read, in words: "all 200 rows". */
  seen: string;
};

export type Suggests<Configuration> = {
  table?(context: Suggesting): Suggestion<Configuration>[];
  column?(column: ColumnProfile, context: Suggesting): Suggestion<Configuration>[];
};

/** Whether a column's name suggests an identifier. */
export const isNamedLikeKey = (name: string) =>
  /(^|_|\b)(id|key|code|number|no|uuid)$|(Id|Key|Code|Number|No)$/.test(name);
