import { allowedValues } from "./allowed-values.ts";
import { type SqlScope, sqlFor } from "./rule-sql.ts";
import type { Configuration } from "./rules.ts";

type Allowed = Configuration<"AllowedValues">;

/** The table's values with a form that is the same only for the same text. Values are bound in the order of the text. */
function written(
  sql: SqlScope,
  { column }: Pick<Allowed, "column">,
  isShown: boolean,
  groups: readonly string[] = [],
): string {
  const checked = sql.checked(column);
  const shown = isShown ? `${sql.writtenText(checked)} as shown, ` : "";
  return `select ${groups.map((each) => `${each}, `).join("")}${shown}${sql.exactly(sql.writtenText(checked))} as exact
    from ${sql.table} as checked where ${checked.value} is not null`;
}

/** All values of a column, each with its number of rows, most frequent first. */
export function valuesSql(sql: SqlScope, column: string, maxRows: number): string {
  const { top, limit } = sql.limit(maxRows);
  return `select ${top}min(found.shown), ${sql.count()} from (${written(sql, { column }, true)}) as found
    group by found.exact order by 2 desc, 1${limit}`;
}

/** The condition that such a value is not allowed, by its exact form. */
function isOther(sql: SqlScope, allowed: Allowed, exact = "found.exact"): string {
  const { values, referenceSchema = sql.schemaName, referenceTable = "", referenceColumn = "" } = allowed;
  if (values) return `${exact} not in (${values.map((value) => sql.exactly(sql.bind(value))).join(", ")})`;
  const table = sql.relation(referenceSchema, referenceTable);
  const value = `reference.${sql.quote(referenceColumn)}`;
  const reference = {
    ...{ schemaName: referenceSchema, tableName: referenceTable, table, name: referenceColumn },
    ...{ value, bind: sql.bind },
  };
  return `not exists (
      select 1 from ${table} as reference
      where ${value} is not null and ${sql.exactly(sql.writtenText(reference))} = ${exact})`;
}

export const allowedValuesSql = sqlFor(allowedValues, {
  measure: (sql, allowed) => ({
    statement: `select ${sql.count()} as ${sql.quote("notAllowed")}, coalesce(sum(other.n), 0) as ${sql.quote("rows")}
    from (select ${sql.count()} as n from (${written(sql, allowed, false)}) as found
          where ${isOther(sql, allowed)} group by found.exact) as other`,
  }),
  inGroups(sql, allowed) {
    const { selected, names } = sql.groups;
    const by = names.join(", ");
    return {
      statement: `select ${by}, ${sql.count()} as ${sql.quote("notAllowed")}, sum(other.n) as ${sql.quote("rows")}
    from (select ${by}, ${sql.count()} as n from (${written(sql, allowed, false, selected)}) as found
          where ${isOther(sql, allowed)} group by ${by}, found.exact) as other
    group by ${by}`,
    };
  },
  failing(sql, allowed) {
    const checked = sql.checked(allowed.column);
    const isNotAllowed = isOther(sql, allowed, sql.exactly(sql.writtenText(checked)));
    return { failing: `${checked.value} is not null and ${isNotAllowed}` };
  },
  /** One row per value with its number of occurrences, most frequent first. */
  sample(sql, allowed) {
    const { top, limit } = sql.limit(sql.maxRows);
    return {
      statement: `select ${top}min(found.shown) as ${sql.quote(allowed.column)}, ${sql.count()} as ${sql.quote("occurrences")}
    from (${written(sql, allowed, true)}) as found where ${isOther(sql, allowed)}
    group by found.exact order by 2 desc${limit}`,
    };
  },
});
