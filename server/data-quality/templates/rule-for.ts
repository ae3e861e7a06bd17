import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { RuleWrite } from "../rule-schema.ts";
import { formFieldsOf, type RuleType, ruleDefinition } from "../rules/rules.ts";
import type { Severity } from "../severities.ts";

/** A template's rule: without a column of its own, which each match fills in. */
export type TemplateRule = {
  name: string;
  type: RuleType;
  severity: Severity;
  weight: number;
  configuration: Record<string, unknown>;
};

/** Where a template's rule is applied. */
export type Place = { schemaName: string; tableName: string; column: string | null };

const longestName = 200;

/** Whether rules of this type check one column, which a template fills in. */
export const takesColumn = (type: RuleType): boolean => "column" in ruleDefinition(type).configuration.shape;

/** Types that say something about one table only: its approved columns, or the table it is compared with. */
export const isForOneTable = (type: RuleType): boolean => {
  const definition = ruleDefinition(type);
  return "reads" in definition || "compares" in definition;
};

/** The properties of a type's configuration that are SQL, in which names are filled in. */
export function sqlIn({ type, configuration }: Pick<TemplateRule, "type" | "configuration">): string[] {
  return Object.entries(formFieldsOf(type)).flatMap(([key, { kind }]) => {
    const value = configuration[key];
    return (kind === "sql" || kind === "condition") && typeof value === "string" ? value : [];
  });
}

/**
 * A template's rule for a table or one of its columns. `{schema}`, `{table}`, and `{column}` stand for the names: as they
 * are in the rule's own name, and quoted in SQL, where the table is qualified with its schema.
 */
export function ruleFor(rule: TemplateRule, place: Place, dialect: Pick<Dialect, "quote">): RuleWrite {
  const { schemaName, tableName, column } = place;
  const quoted = {
    schema: dialect.quote(schemaName),
    table: `${dialect.quote(schemaName)}.${dialect.quote(tableName)}`,
    column: column === null ? null : dialect.quote(column),
  };
  const fields = formFieldsOf(rule.type);
  const filled = Object.entries(rule.configuration).map(([key, value]) => {
    const kind = fields[key]?.kind;
    const isSql = (kind === "sql" || kind === "condition") && typeof value === "string";
    return [key, isSql ? fill(value, quoted) : value] as const;
  });
  const hasColumn = takesColumn(rule.type);
  return {
    name: nameFor(rule.name, place),
    type: rule.type,
    severity: rule.severity,
    weight: rule.weight,
    enabled: true,
    column: hasColumn ? column : null,
    configuration: { ...Object.fromEntries(filled), ...(hasColumn && { column }) },
  };
}

/** A rule's name for a table or column. */
export const nameFor = (name: string, { schemaName, tableName, column }: Place): string =>
  clipped(fill(name, { schema: schemaName, table: tableName, column }));

function fill(text: string, names: { schema: string; table: string; column: string | null }): string {
  return text.replace(
    /\{(schema|table|column)\}/g,
    (whole, which: keyof typeof names) => names[which] ?? whole,
  );
}

/** Without half of a character at the end. */
function clipped(name: string): string {
  if (name.length <= longestName) return name;
  const characters = [...name];
  while (characters.join("").length > longestName - 1) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}
