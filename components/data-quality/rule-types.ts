import type { RuleType } from "@/server/data-quality/rules/configuration.ts";
import type { Rule } from "@/server/data-quality/schema.ts";

/** What the console says of each type of rule: its name, what it checks, and what it is configured with. */

export type ConfigurationField = {
  key: string;
  label: string;
  /** column: of the contract's table · number: sent as a number · decimal: sent as text, exact · text: as it is. */
  kind: "column" | "number" | "decimal" | "text";
  optional?: boolean;
  hint?: string;
  /** Written after the input. */
  unit?: string;
};

type RuleTypeWords = {
  label: string;
  /** One line for the menu that adds a rule. */
  explanation: string;
  /** How a failing rule is scored. */
  scoring: string;
  fields: ConfigurationField[];
};

const column: ConfigurationField = { key: "column", label: "Column", kind: "column" };
const binary = "Scores 100 when it passes and 0 when it fails.";

export const ruleTypeWords: Record<RuleType, RuleTypeWords> = {
  Freshness: {
    label: "Freshness",
    explanation: "The newest value of a time column is recent enough.",
    scoring: binary,
    fields: [
      { ...column, hint: "A time without zone counts as UTC." },
      { key: "maxAgeMinutes", label: "At most", kind: "number", unit: "minutes old" },
    ],
  },
  Volume: {
    label: "Volume",
    explanation: "The table has at least, or at most, so many rows.",
    scoring: binary,
    fields: [
      { key: "minRows", label: "At least", kind: "number", unit: "rows", optional: true },
      { key: "maxRows", label: "At most", kind: "number", unit: "rows", optional: true },
    ],
  },
  NullRate: {
    label: "Null rate",
    explanation: "At most so many per cent of a column are NULL.",
    scoring: "When it fails it loses a point for each per cent beyond the limit.",
    fields: [column, { key: "maxNullPercent", label: "At most", kind: "number", unit: "% NULL" }],
  },
  Uniqueness: {
    label: "Uniqueness",
    explanation: "No value of a column occurs twice. NULLs are ignored.",
    scoring: binary,
    fields: [column],
  },
  Referential: {
    label: "Referential",
    explanation: "Every value of a column exists in another table. NULLs are ignored.",
    scoring: binary,
    fields: [
      column,
      { key: "referenceSchema", label: "Reference schema", kind: "text", optional: true },
      { key: "referenceTable", label: "Reference table", kind: "text" },
      { key: "referenceColumn", label: "Reference column", kind: "text" },
    ],
  },
  Range: {
    label: "Range",
    explanation: "Every number of a column lies between two bounds, either of which may be left out.",
    scoring: "When it fails it scores the share of all rows that are within.",
    fields: [
      column,
      { key: "min", label: "From", kind: "decimal", optional: true },
      { key: "max", label: "To", kind: "decimal", optional: true },
    ],
  },
  Pattern: {
    label: "Pattern",
    explanation: "Every value of a column matches a pattern. NULLs are ignored.",
    scoring: binary,
    fields: [column, { key: "pattern", label: "Pattern", kind: "text" }],
  },
  CustomSql: {
    label: "Custom SQL",
    explanation: "Any check that a query can make: it answers one row that says whether it passed.",
    scoring: "Scores what the query answers as score, otherwise 100 or 0.",
    fields: [{ key: "sql", label: "SQL", kind: "text" }],
  },
};

/** What a rule is configured with, on one line: "departed_at, at most 60 minutes old". */
export function configurationWords({ type, configuration }: Pick<Rule, "type" | "configuration">): string {
  const value = (key: string) => {
    const found = configuration[key];
    return found === undefined || found === null || found === "" ? null : String(found);
  };
  const at = value("column") ?? "no column yet";
  switch (type) {
    case "Freshness":
      return `${at}, at most ${value("maxAgeMinutes") ?? "…"} minutes old`;
    case "Volume":
      return between(value("minRows"), value("maxRows"), " rows");
    case "NullRate":
      return `${at}, at most ${value("maxNullPercent") ?? "…"} % NULL`;
    case "Uniqueness":
      return `${at}, no value twice`;
    case "Referential": {
      const table = [value("referenceSchema"), value("referenceTable") ?? "…"].filter(Boolean).join(".");
      return `${at} exists in ${table}.${value("referenceColumn") ?? "…"}`;
    }
    case "Range":
      return `${at}, ${between(value("min"), value("max"), "")}`;
    case "Pattern":
      return `${at} matches ${value("pattern") ?? "…"}`;
    case "CustomSql":
      return (value("sql") ?? "no query yet").replace(/\s+/g, " ").trim();
  }
}

function between(from: string | null, to: string | null, unit: string): string {
  if (from !== null && to !== null) return `${from} to ${to}${unit}`;
  if (from !== null) return `at least ${from}${unit}`;
  return to === null ? "no bound yet" : `at most ${to}${unit}`;
}

/** A name for a rule that has none yet: "Freshness of departed_at". */
export function suggestedRuleName({ type, configuration }: Pick<Rule, "type" | "configuration">): string {
  const { label } = ruleTypeWords[type];
  const of = configuration.column;
  return typeof of === "string" && of !== "" ? `${label} of ${of}` : label;
}
