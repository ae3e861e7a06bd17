import { counted } from "./figures.ts";
import { defineRule, fail, pass, type SqlScope, type Values } from "./rule.ts";

type Misses = (value: string, pattern: string, bind: SqlScope["bind"]) => string;

/**
 * A value of SQL Server as text. A char(n) is filled up with blanks to n, which nobody has written and LIKE would
 * see; so there, and nowhere else, they are left out. Text beyond 4000 characters is cut by a shorter type.
 */
function textOf({ schemaName, tableName, relation, bind }: SqlScope, column: string, value: string): string {
  const text = `cast(${value} as nvarchar(max))`;
  return `case when exists (
            select 1 from sys.columns as c
            where c.object_id = object_id(${bind(relation(schemaName, tableName))}) and c.name = ${bind(column)}
              and type_name(c.system_type_id) in (N'char', N'nchar'))
          then rtrim(${text}) else ${text} end`;
}

/** The condition that a value is there and does not match. */
const misses = {
  postgresql: (value, pattern, bind) => `${value}::text !~ ${bind(pattern)}::text`,
  // A match that the server gives up on is unknown, and so no match. CONCAT makes text of anything, and keeps
  // the collation of what is text already.
  mysql: (value, pattern, bind) =>
    `${value} is not null and (concat(${value}) regexp ${bind(pattern)}) is not true`,
  // What is NULL is neither like anything nor not.
  sqlserver: (value, pattern, bind) => `${value} not like ${bind(pattern)}`,
} satisfies Record<string, Misses>;

/**
 * Every value that is not NULL matches a pattern, by the engine's own matching: a regular expression, and on SQL
 * Server LIKE. On both MySQL and SQL Server, the column's collation says whether upper and lower case differ.
 */
export const pattern = defineRule({
  type: "Pattern",
  label: "Every value matches a pattern",
  measure: {
    // Matching the empty text, too, makes the server refuse a bad pattern before it scans, and on an empty table.
    postgresql: ({ table, id, bind }, { column, pattern }) => ({
      statement: `select count(*) as ${id("misses")}, '' ~ ${bind(pattern)}::text as ${id("readable")}
        from ${table} where ${misses.postgresql(id(column), pattern, bind)}`,
    }),
    mysql: ({ table, id, bind }, { column, pattern }) => ({
      statement: `select count(*) as ${id("misses")}, '' regexp ${bind(pattern)} as ${id("readable")}
        from ${table} where ${misses.mysql(id(column), pattern, bind)}`,
    }),
    sqlserver: (scope, { column, pattern }) => {
      const { table, id, bind } = scope;
      const value = textOf(scope, column, `checked.${id(column)}`);
      return {
        statement: `select count_big(*) as ${id("misses")}, 1 as ${id("readable")} from ${table} as checked
        where ${misses.sqlserver(value, pattern, bind)}`,
      };
    },
  },
  sample: {
    postgresql: ({ value, bind }, c) => ({ failing: misses.postgresql(value(c.column), c.pattern, bind) }),
    mysql: ({ value, bind }, c) => ({ failing: misses.mysql(value(c.column), c.pattern, bind) }),
    sqlserver: (scope, c) => ({
      failing: misses.sqlserver(textOf(scope, c.column, scope.value(c.column)), c.pattern, scope.bind),
    }),
  },
  interpret({ misses }: Values<"misses" | "readable">, { pattern }) {
    const expected = `matches ${pattern}`;
    if (misses === "0") return pass({ expected, actual: "every value matches", failing: misses });
    return fail({ expected, actual: `${counted(misses ?? 0, "row")} without a match`, failing: misses });
  },
});
