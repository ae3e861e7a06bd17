import type { Dialect } from "../../data-sources/engines/engine.ts";
import { getEngine } from "../../data-sources/engines/engines.ts";
import type { Kind } from "../../data-sources/schema.ts";
import type { Check, CheckOf } from "./check.ts";
import { commentOf } from "./written-check.ts";

/** More rows than these tell a person nothing new. */
const mostRows = 1000;

const kinds: Record<Dialect, Kind> = { postgresql: "PostgreSql", mysql: "MySql", sqlserver: "SqlServer" };

/**
 * One statement that only reads, and answers what is wrong: its first line says so in words, and what a person needs
 * to act stands in the columns. The same check is the same text. What the engine's clock and an index can do is left
 * to them.
 */
export function sqlOf(check: Check, dialect: Dialect): string {
  const { quote } = getEngine(kinds[dialect]);
  const relation = (schema: string, table: string) => `${quote(schema)}.${quote(table)}`;
  const scope: Scope = {
    dialect,
    id: quote,
    relation,
    table: relation(check.schemaName, check.tableName),
    count: dialect === "sqlserver" ? "count_big(*)" : "count(*)",
    top: dialect === "sqlserver" ? `top (${mostRows}) ` : "",
    limit: dialect === "sqlserver" ? "" : `\nlimit ${mostRows}`,
  };
  return `${commentOf(check)}\n${bodyOf(check, scope)}`;
}

type Scope = {
  dialect: Dialect;
  id(name: string): string;
  relation(schemaName: string, tableName: string): string;
  table: string;
  count: string;
  top: string;
  limit: string;
};

function bodyOf(check: Check, scope: Scope): string {
  switch (check.kind) {
    case "Freshness":
      return freshness(check, scope);
    case "Volume":
      return volume(check, scope);
    case "MissingValues":
      return missingValues(check, scope);
    case "Duplicates":
      return duplicates(check, scope);
    case "Orphans":
      return orphans(check, scope);
  }
}

/** What lies in the future is no row that came: one wrong date must not hide that no more do. */
function freshness({ column, maxAgeMinutes }: CheckOf<"Freshness">, { dialect, id, table }: Scope): string {
  const newest = `max(${id(column)})`;
  const words: Record<Dialect, { now: string; age: string; oldest: string }> = {
    postgresql: {
      now: "now()",
      age: `round(extract(epoch from now() - ${newest}::timestamptz) / 60)`,
      oldest: `now() - interval '${maxAgeMinutes} minutes'`,
    },
    mysql: {
      now: "utc_timestamp()",
      age: `timestampdiff(minute, ${newest}, utc_timestamp())`,
      oldest: `utc_timestamp() - interval ${maxAgeMinutes} minute`,
    },
    sqlserver: {
      now: "sysutcdatetime()",
      age: `datediff_big(minute, ${newest}, sysutcdatetime())`,
      oldest: `dateadd(minute, -${maxAgeMinutes}, sysutcdatetime())`,
    },
  };
  const { now, age, oldest } = words[dialect];
  return `select ${newest} as ${id("newest")}, ${age} as ${id("age_in_minutes")}
from ${table}
where ${id(column)} <= ${now}
having ${newest} is null or ${newest} < ${oldest}`;
}

function volume({ minRows }: CheckOf<"Volume">, { id, table, count }: Scope): string {
  return `select ${count} as ${id("row_count")}, ${minRows} as ${id("expected_at_least")}
from ${table}
having ${count} < ${minRows}`;
}

function missingValues({ columns, shownWith }: CheckOf<"MissingValues">, scope: Scope): string {
  const { id, table, top, limit } = scope;
  const shown = [...shownWith, ...columns.filter((each) => !shownWith.includes(each))];
  return `select ${top}${shown.map(id).join(", ")}
from ${table}
where ${columns.map((each) => `${id(each)} is null`).join("\n   or ")}${ordered(shownWith.map(id))}${limit}`;
}

function duplicates({ columns, shownWith, isWholeRow }: CheckOf<"Duplicates">, scope: Scope): string {
  const { id, table, count, top, limit } = scope;
  const grouped = columns.map(id).join(", ");
  const [key] = shownWith.map(id);
  const keys =
    key === undefined ? "" : `, min(${key}) as ${id("first_key")}, max(${key}) as ${id("last_key")}`;
  // A value that is missing equals no other; a row that is the same all over does.
  const known = isWholeRow ? "" : `\nwhere ${columns.map((each) => `${id(each)} is not null`).join(" and ")}`;
  return `select ${top}${grouped}, ${count} as ${id("occurrences")}${keys}
from ${table}${known}
group by ${grouped}
having ${count} > 1${ordered([`${count} desc`, ...columns.slice(0, 3).map(id)])}${limit}`;
}

/** Both columns are qualified: one that is missing in the other table would be found in this one. */
function orphans({ column, references, shownWith }: CheckOf<"Orphans">, scope: Scope): string {
  const { id, relation, table, top, limit } = scope;
  const own = (name: string) => `checked.${id(name)}`;
  const shown = [...shownWith, ...(shownWith.includes(column) ? [] : [column])];
  return `select ${top}${shown.map(own).join(", ")}
from ${table} as checked
where ${own(column)} is not null
  and not exists (
    select 1 from ${relation(references.schemaName, references.tableName)} as reference
    where reference.${id(references.columnName)} = ${own(column)})${ordered(shownWith.map(own))}${limit}`;
}

const ordered = (expressions: readonly string[]) =>
  expressions.length === 0 ? "" : `\norder by ${expressions.join(", ")}`;
