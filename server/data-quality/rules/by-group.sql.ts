import { maxGroups } from "./by-group.ts";
import { allRows } from "./rule-options.ts";
import type { GroupQuestion, SqlScope } from "./rule-sql.ts";

/** Statements by group: the groups' columns first, then the named measures and the number of all rows. */

/** For types that only aggregate the table. */
export function aggregatesByGroup(aggregates: Record<string, string>, sql: SqlScope): string {
  const { selected, values } = sql.groups;
  const measures = Object.entries({ ...aggregates, [allRows]: sql.count() }).map(
    ([name, expression]) => `${expression} as ${sql.quote(name)}`,
  );
  const { top, limit } = sql.limit(maxGroups + 1);
  return `select ${top}${selected.join(", ")}, ${measures.join(", ")}
from ${sql.table} as checked group by ${values.join(", ")}${limit}`;
}

/** A statement and, for servers that do not compare texts of two collations, its variant. */
type Statements = { statement: string; acrossCollations?: string };

/**
 * For other types: what fails in each group, added to the number of its rows, since groups in which nothing fails count
 * too. `counting` is the measure that counts failing rows.
 */
export function failuresByGroup(
  question: GroupQuestion<string>,
  measures: readonly string[],
  counting: string | undefined,
  sql: SqlScope,
): Statements {
  if ("statement" in question) return { statement: withAllRows(question.statement, measures, sql) };
  if (counting === undefined) throw new Error("A type by group names the measure that counts failing rows");
  const { selected, values } = sql.groups;
  const counted = (condition: string) =>
    withAllRows(
      `select ${selected.join(", ")}, ${sql.count()} as ${sql.quote(counting)}
      from ${sql.table} as checked where ${condition} group by ${values.join(", ")}`,
      [counting],
      sql,
    );
  const { failing, failingAcrossCollations } = question;
  return {
    statement: counted(failing),
    ...(failingAcrossCollations && { acrossCollations: counted(failingAcrossCollations) }),
  };
}

function withAllRows(failures: string, measures: readonly string[], sql: SqlScope): string {
  const { selected, values, names } = sql.groups;
  const { top, limit } = sql.limit(maxGroups + 1);
  const all = sql.quote(allRows);
  const quoted = measures.map(sql.quote);
  const zeros = quoted.map((name) => `0 as ${name}`);
  const sums = [...quoted, all].map((name) => `sum(part.${name}) as ${name}`);
  return `select ${top}${names.join(", ")}, ${sums.join(", ")}
from (select ${selected.join(", ")}, ${zeros.join(", ")}, ${sql.count()} as ${all}
      from ${sql.table} as checked group by ${values.join(", ")}
      union all
      select ${names.join(", ")}, ${quoted.join(", ")}, 0 as ${all} from (${failures}
      ) as failures) as part
group by ${names.join(", ")}${limit}`;
}
