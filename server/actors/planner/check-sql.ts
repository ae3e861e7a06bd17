import { isBeyondAge, isOrphan, relationIn, repeated } from "../../data-sources/dialects/clauses.ts";
import type { Dialect, DialectName } from "../../data-sources/dialects/dialect.ts";
import { dialects } from "../../data-sources/dialects/dialects.ts";
import type { Check, CheckOf } from "./check.ts";
import { commentOf } from "./written-check.ts";

/** More rows would tell a person nothing new. */
const maxRows = 1000;

/**
 * A read-only statement that returns what is wrong. Its first line says so in words, and the columns contain what a
 * person needs to act. The same check always gives the same text. Uses the engine's clock and indexes where possible.
 */
export function sqlOf(check: Check, dialectName: DialectName): string {
  const dialect = dialects[dialectName];
  const { top, limit } = dialect.limit(maxRows);
  const scope: Scope = {
    ...{ dialect, top },
    id: dialect.quote,
    table: relationIn(dialect, check.schemaName, check.tableName),
    limit: limit === "" ? "" : `\n${limit.trim()}`,
  };
  return `${commentOf(check)}\n${bodyOf(check, scope)}`;
}

type Scope = {
  dialect: Dialect;
  id(name: string): string;
  table: string;
  top: string;
  limit: string;
};

function bodyOf(check: Check, scope: Scope): string {
  switch (check.kind) {
    case "Freshness":
      return freshness(check, scope);
    case "Volume":
      return volume(check, scope);
    case "NullRate":
      return missingValues(check, scope);
    case "Uniqueness":
      return duplicates(check, scope);
    case "Referential":
      return orphans(check, scope);
  }
}

/** Ignores times in the future: one wrong date must not hide that no more rows arrive. */
function freshness({ column, maxAgeMinutes }: CheckOf<"Freshness">, { dialect, id, table }: Scope): string {
  const newest = `max(${id(column)})`;
  return `select ${newest} as ${id("newest")}, ${dialect.ageInMinutes(newest)} as ${id("age_in_minutes")}
from ${table}
where ${dialect.moment(id(column))} <= ${dialect.now}
having ${isBeyondAge(dialect, newest, maxAgeMinutes)}`;
}

function volume({ minRows }: CheckOf<"Volume">, { dialect, id, table }: Scope): string {
  const count = dialect.count();
  return `select ${count} as ${id("row_count")}, ${minRows} as ${id("expected_at_least")}
from ${table}
having ${count} < ${minRows}`;
}

function missingValues({ columns, shownWith }: CheckOf<"NullRate">, scope: Scope): string {
  const { id, table, top, limit } = scope;
  const shown = [...shownWith, ...columns.filter((each) => !shownWith.includes(each))];
  return `select ${top}${shown.map(id).join(", ")}
from ${table}
where ${columns.map((each) => `${id(each)} is null`).join("\n   or ")}${ordered(shownWith.map(id))}${limit}`;
}

function duplicates({ columns, shownWith, isWholeRow }: CheckOf<"Uniqueness">, scope: Scope): string {
  const { dialect, id, table, top, limit } = scope;
  const { where, groupBy, having } = repeated(dialect, columns.map(id), isWholeRow);
  const [key] = shownWith.map(id);
  const keys =
    key === undefined ? "" : `, min(${key}) as ${id("first_key")}, max(${key}) as ${id("last_key")}`;
  const count = dialect.count();
  return `select ${top}${groupBy}, ${count} as ${id("occurrences")}${keys}
from ${table}${where === null ? "" : `\nwhere ${where}`}
group by ${groupBy}
having ${having}${ordered([`${count} desc`, ...columns.slice(0, 3).map(id)])}${limit}`;
}

function orphans({ column, references, shownWith }: CheckOf<"Referential">, scope: Scope): string {
  const { dialect, id, table, top, limit } = scope;
  const own = (name: string) => `checked.${id(name)}`;
  const shown = [...shownWith, ...(shownWith.includes(column) ? [] : [column])];
  const reference = {
    table: relationIn(dialect, references.schemaName, references.tableName),
    column: references.columnName,
  };
  return `select ${top}${shown.map(own).join(", ")}
from ${table} as checked
where ${isOrphan(dialect, own(column), reference)}${ordered(shownWith.map(own))}${limit}`;
}

const ordered = (expressions: readonly string[]) =>
  expressions.length === 0 ? "" : `\norder by ${expressions.join(", ")}`;
