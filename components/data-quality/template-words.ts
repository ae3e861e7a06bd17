import type { RuleTemplate } from "@/server/data-quality/templates/schema.ts";

/** What a template is for, in a line: "columns *_id in tables orders*, not tmp_*, in those tagged pii". */
export function selectorWords({ selector }: Pick<RuleTemplate, "selector">): string {
  const { schemas, tables, tags, columns } = selector;
  const parts = [
    columns.length > 0 ? `columns ${patternWords(columns)}` : null,
    tables.length > 0 ? `tables ${patternWords(tables)}` : "all tables",
    tags.length > 0 ? `those tagged ${patternWords(tags)}` : null,
    schemas.length > 0 ? `schemas ${patternWords(schemas)}` : null,
  ];
  return parts.filter((part) => part !== null).join(" in ");
}

function patternWords(patterns: readonly string[]): string {
  const isOut = (pattern: string) => pattern.startsWith("!");
  const wanted = patterns.filter((pattern) => !isOut(pattern));
  const unwanted = patterns.filter(isOut).map((pattern) => pattern.slice(1));
  const parts = [wanted.length > 0 ? wanted.join(", ") : "all"];
  if (unwanted.length > 0) parts.push(`not ${unwanted.join(", ")}`);
  return parts.join(", ");
}
