import { CheckedRows } from "../checked-rows.ts";
import { unquoted } from "../destination.ts";
import { exactly, type Limit, limitSql } from "../limit.ts";
import type { Draft } from "../suite.ts";

/**
 * A check by group: its query has a row for each group. A number of rows or a mean of the check's own table becomes a rule
 * by group; of any other query, the rows that are not within the limit are counted.
 */
export function groupedRule(
  rows: CheckedRows,
  {
    query,
    fields,
    figure,
    limit,
  }: { query: string; fields: readonly string[]; figure: string; limit: Limit },
): Draft {
  const simple = simpleQuery(query);
  const expression = simple?.figures.get(figure.toLowerCase());
  const groups = fields.map((field) => knownColumn(rows, field));
  const isOwn =
    simple !== null &&
    simple.table.toLowerCase() === rows.table.tableName.toLowerCase() &&
    [...simple.groups].sort().join() ===
      fields
        .map((field) => field.toLowerCase())
        .sort()
        .join();
  if (isOwn && expression && groups.every((name) => name !== null) && groups.length <= 3) {
    const among = new CheckedRows(rows.dialect, rows.table, simple.where ?? rows.where);
    const draft = ruleFor(among, expression, limit);
    if (draft && draft.type !== "CustomSql")
      return { ...draft, configuration: { ...draft.configuration, groupBy: groups } };
  }
  const name = rows.dialect.quote(figure);
  return rows.figure(
    `select ${rows.dialect.count()} from (\n${query}\n) found where not (${limitSql(`found.${name}`, limit)})`,
    exactly("0"),
  );
}

function ruleFor(rows: CheckedRows, expression: string, limit: Limit): Draft | null {
  if (/^count\s*\(\s*(\*|1)\s*\)$/i.test(expression)) return rows.rowCount(limit);
  const [, mean] = /^avg\s*\(\s*([\w"`]+)\s*\)$/i.exec(expression) ?? [];
  const column = mean === undefined ? null : knownColumn(rows, unquoted(mean));
  return column === null ? null : meanWithin(rows, column, limit);
}

/** A mean with a plain limit; null for one that a Mean rule cannot say. */
export function meanWithin(rows: CheckedRows, column: string, limit: Limit): Draft | null {
  const { min, max, isOutside } = limit;
  if (isOutside || min?.isStrict || max?.isStrict || (!min && !max)) return null;
  const bounds = { ...(min && { min: min.value }), ...(max && { max: max.value }) };
  return rows.rule({
    ...{ type: "Mean", column: rows.column(column), configuration: bounds },
    notes: ["Without any value it fails."],
  });
}

const knownColumn = ({ table }: CheckedRows, name: string): string | null =>
  table.columns.find((each) => each.toLowerCase() === unquoted(name).toLowerCase()) ?? null;

type SimpleQuery = {
  table: string;
  where: string | null;
  groups: Set<string>;
  /** Expressions by the name that the query gives them. */
  figures: Map<string, string>;
};

/** `select country, avg(price) as price from orders where … group by country`; null for anything more. */
function simpleQuery(query: string): SimpleQuery | null {
  const flat = query.replace(/\s+/g, " ").trim().replace(/;$/, "").trim();
  if (flat.length > 4000 || /--|\/\*|\b(having|join|union|order by|limit|with)\b/i.test(flat)) return null;
  const [, list = "", table = "", where, groups = ""] =
    /^select (.+?) from ([\w."`]+)(?: where (.+))? group by ([\w.,"` ]+)$/i.exec(flat) ?? [];
  if (list === "" || /\bselect\b/i.test(`${list} ${where ?? ""}`)) return null;
  const figures = list.split(/,(?![^()]*\))/).flatMap((item): [string, string][] => {
    const [, expression, name] = /^(.+?) as ([\w"`]+)$/i.exec(item.trim()) ?? [];
    return expression && name ? [[unquoted(name).toLowerCase(), expression.trim()]] : [];
  });
  return {
    table: unquoted(table.split(".").at(-1) ?? ""),
    where: where ?? null,
    groups: new Set(groups.split(",").map((each) => unquoted(each.trim()).toLowerCase())),
    figures: new Map(figures),
  };
}
