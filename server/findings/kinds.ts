/** What is said of data by itself, without a rule. Safe for the browser. */
export const findingKinds = [
  "MissingValue",
  "DisguisedMissing",
  "Duplicate",
  "Orphan",
  "OutOfRange",
  "Format",
  "Type",
  "Variant",
  "Inconsistent",
  "Impossible",
  "Stale",
  "Truncated",
  "Encoding",
] as const;

export type FindingKind = (typeof findingKinds)[number];

export const findingStatuses = ["Open", "Accepted", "Dismissed", "Gone"] as const;
export type FindingStatus = (typeof findingStatuses)[number];
