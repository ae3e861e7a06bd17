import type { ColumnProfile, TableProfile } from "../../profile/table-profile.ts";

/**
 * What a kind of rule proposes for a table, from what its profile says: rules that hold today and would tell of a
 * change. Bounds have some room, so that an ordinary day does not break them.
 */
export type Suggestion<Configuration> = {
  /** What the rule is called. */
  name: string;
  configuration: Configuration;
  /** What speaks for it, in words and figures. */
  evidence: string;
  /** Medium unless it is said. */
  severity?: "Low" | "Medium" | "High";
  /** What is proposed where this one does not hold. */
  otherwise?: Suggestion<Configuration>;
};

export type Suggesting = {
  schemaName: string;
  /** What the data source's engine writes patterns in. */
  patterns: "regex" | "like";
  profile: TableProfile;
  /** Of the whole table; null where it could not be counted. */
  totalRows: number | null;
  /** What was read, in words: "all 200 rows". */
  seen: string;
};

export type Suggests<Configuration> = {
  table?(context: Suggesting): Suggestion<Configuration>[];
  column?(column: ColumnProfile, context: Suggesting): Suggestion<Configuration>[];
};

/** Whether a column's name is one of what identifies things. */
export const isNamedLikeKey = (name: string) =>
  /(^|_|\b)(id|key|code|number|no|uuid)$|(Id|Key|Code|Number|No)$/.test(name);
