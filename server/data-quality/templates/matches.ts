import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import type { RuleWrite } from "../rule-schema.ts";
import { nameMatcher } from "./name-patterns.ts";
import { ruleFor, type TemplateRule } from "./rule-for.ts";

/** Which tables and columns a template is for. */
export type Selector = {
  /** Empty: every database of the project. */
  dataSourceIds: number[];
  schemas: string[];
  tables: string[];
  /** Patterns of tags; left out, or empty, for any. */
  tags?: string[];
  /** Empty for a rule about the table. */
  columns: string[];
};

export type Table = { dataSourceId: number; schemaName: string; tableName: string };

/** Prepared once for many tables. */
export type TemplateMatcher = {
  isForTable(table: Table): boolean;
  isForColumn(name: string): boolean;
  /** Whether it is about columns. */
  hasColumns: boolean;
};

export function matcherOf(
  { dataSourceIds, schemas, tables, tags = [], columns }: Selector,
  tagsOf: (table: Table) => readonly string[],
): TemplateMatcher {
  const sources = new Set(dataSourceIds);
  const isSchema = nameMatcher(schemas);
  const isTable = nameMatcher(tables);
  const isForColumn = nameMatcher(columns);
  const isTagged = tagMatcher(tags);
  return {
    isForTable: ({ dataSourceId, schemaName, tableName }) =>
      (sources.size === 0 || sources.has(dataSourceId)) &&
      isSchema(schemaName) &&
      isTable(tableName) &&
      isTagged(tagsOf({ dataSourceId, schemaName, tableName })),
    isForColumn,
    hasColumns: columns.length > 0,
  };
}

/** Whether one of a table's tags matches a pattern, and none of them one that leaves out. */
function tagMatcher(patterns: readonly string[]): (tags: readonly string[]) => boolean {
  if (patterns.length === 0) return () => true;
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!"));
  const unwanted = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const isWanted = nameMatcher(wanted);
  const isUnwanted = nameMatcher(unwanted);
  return (tags) =>
    (wanted.length === 0 || tags.some(isWanted)) && (unwanted.length === 0 || !tags.some(isUnwanted));
}

export type Template = { id: number; enabled: boolean; rule: TemplateRule; matcher: TemplateMatcher };

/** A rule that a template gives a table. */
export type Given = { templateId: number; column: string | null; rule: RuleWrite };

/**
 * The rules that templates give a table with these columns, template by template. `kept` are columns that have a
 * template's rule already: they count even if the table was last read without them, because a column that disappears
 * should fail its rules rather than lose them.
 */
export function rulesGiven(
  templates: readonly Template[],
  { table, columns }: { table: Table; columns: readonly string[] },
  dialect: Pick<Dialect, "quote">,
  kept: readonly { templateId: number; column: string | null }[] = [],
): Given[] {
  return templates.flatMap(({ id, enabled, rule, matcher }) => {
    if (!matcher.isForTable(table)) return [];
    const own = kept.flatMap(({ templateId, column }) =>
      templateId === id && column !== null && !columns.includes(column) ? column : [],
    );
    const places = matcher.hasColumns ? [...columns, ...own].filter(matcher.isForColumn) : [null];
    return places.map((column) => ({
      templateId: id,
      column,
      rule: { ...ruleFor(rule, { ...table, column }, dialect), enabled },
    }));
  });
}
