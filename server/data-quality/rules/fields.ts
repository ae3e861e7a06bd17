/** Form fields for the properties of a rule's configuration. The browser loads this file too. */
export type RuleField = { label: string; hint?: string; optional?: boolean; when?: OnlyWhen } & (
  | {
      /** A column of the contract's table. */
      kind: "column";
      /** Columns of these types are offered first. */
      suits?: ColumnKind;
    }
  /** Several columns of the contract's table, as a list of names: at least so many, two unless it says, and at most. */
  | { kind: "columns"; fewest?: number; most?: number }
  /** The columns of the contract's table as approved, with their types. */
  | { kind: "approvedColumns" }
  /** A list of texts. */
  | { kind: "values" }
  | {
      /** number: stored as a number · decimal: stored as text, with every digit. */
      kind: "number" | "decimal";
      /** The unit shown after the input. */
      unit?: string;
    }
  /** A pattern in the data source's own syntax. */
  | { kind: "pattern" }
  | {
      /** Another table by name; these properties hold its schema and the referenced column. */
      kind: "table";
      schema: string;
      column: string;
    }
  /** A condition in SQL over the columns of the contract's table. */
  | { kind: "condition" }
  /** One of a few; the first if not set. */
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  /** Some of a few. */
  | { kind: "choices"; options: readonly { value: string; label: string }[] }
  | {
      /** A table in any database of the project, by name; these properties hold its data source and its schema. */
      kind: "anyTable";
      dataSource: string;
      schema: string;
    }
  /** Part of the field for its table. */
  | { kind: "ofTable" | "dataSource" }
  | { kind: "sql" }
);

/** A field that only matters while another property has one of these values. */
export type OnlyWhen = { key: string; is: readonly string[] };

export type ColumnKind = "times" | "numbers" | "texts";

export const column = (field: { hint?: string; suits?: ColumnKind } = {}) =>
  ({ label: "Column", kind: "column", ...field }) as const;

/** Whether a field matters with these values: a choice that is not made is its first option. */
export function isAsked(
  { when }: RuleField,
  fields: Readonly<Record<string, RuleField>>,
  configuration: Readonly<Record<string, unknown>>,
): boolean {
  if (!when) return true;
  const field = fields[when.key];
  const first = field?.kind === "choice" ? field.options[0]?.value : undefined;
  return when.is.includes(String(configuration[when.key] ?? first));
}
