import { counted } from "./figures.ts";
import { defineRule, fail, pass, type SqlScope, type Values } from "./rule.ts";

type Misses = (value: string, pattern: string, bind: SqlScope["bind"]) => string;

/** The condition that a value is there and does not match. */
const misses = {
  postgresql: (value, pattern, bind) => `${value}::text !~ ${bind(pattern)}::text`,
  // A match that the server gives up on is unknown, and so no match. CONCAT makes text of anything, and keeps
  // the collation of what is text already.
  mysql: (value, pattern, bind) =>
    `${value} is not null and (concat(${value}) regexp ${bind(pattern)}) is not true`,
  // Text beyond 4000 characters is cut by a shorter type, and most types are none that LIKE takes.
  sqlserver: (value, pattern, bind) =>
    `${value} is not null
          and cast(${value} as nvarchar(max)) not like ${bind(pattern)}`,
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
    sqlserver: ({ table, id, bind }, { column, pattern }) => ({
      statement: `select count_big(*) as ${id("misses")}, 1 as ${id("readable")} from ${table} as checked
        where ${misses.sqlserver(`checked.${id(column)}`, pattern, bind)}`,
    }),
  },
  sample: {
    postgresql: ({ value, bind }, c) => ({ failing: misses.postgresql(value(c.column), c.pattern, bind) }),
    mysql: ({ value, bind }, c) => ({ failing: misses.mysql(value(c.column), c.pattern, bind) }),
    sqlserver: ({ value, bind }, c) => ({ failing: misses.sqlserver(value(c.column), c.pattern, bind) }),
  },
  interpret({ misses }: Values<"misses" | "readable">, { pattern }) {
    const expected = `matches ${pattern}`;
    if (misses === "0") return pass({ expected, actual: "every value matches", failing: misses });
    return fail({ expected, actual: `${counted(misses ?? 0, "row")} without a match`, failing: misses });
  },
});
