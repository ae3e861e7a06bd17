import { dialects } from "../../data-sources/dialects/dialects.ts";
import type { ColumnProfile } from "../../profile/table-profile.ts";
import { plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { Wishes } from "../wishes.ts";
import type { Reference, Table, TableName } from "./check.ts";
import { entityOf, stemsOf, wordsOf } from "./name-words.ts";
import { plain } from "./plain-text.ts";
import { canBeWritten, profiledColumns, solePrimaryKey, tableLabel } from "./table-facts.ts";
import { isExcludedColumn, isNamedKind } from "./wishes.ts";

export type FoundReference = {
  column: string;
  references: Reference;
  /** By a foreign key, which the server usually enforces. */
  isDeclared: boolean;
  likelihood: number;
  seen: string;
};

const keyWords = new Set([
  "id",
  "key",
  "code",
  "no",
  "nr",
  "number",
  "uuid",
  "guid",
  "fk",
  "ref",
  "sk",
  "pk",
]);

/**
 * Columns that reference rows of another table, judged by their names (`customer_id` → `customers.id`), if the types
 * match and the values are plausible. Declared foreign keys are enforced by the server, so they are only included if
 * people chose checks of references.
 */
export function findReferences(table: Table, briefing: Briefing, wishes: Wishes): FoundReference[] {
  const wantsDeclared = isNamedKind(wishes, "Referential");
  return profiledColumns(table).flatMap((column) => {
    if (column.values === 0 || isExcludedColumn(wishes, table, column.name)) return [];
    if (column.references) {
      const isAskedFor =
        wantsDeclared && isWritable(column.references) && canBeWritten(column.references.columnName);
      return isAskedFor ? declared(column, column.references, briefing) : [];
    }
    return guess(table, column, briefing) ?? [];
  });
}

function declared({ name }: ColumnProfile, references: Reference, briefing: Briefing): FoundReference[] {
  const place = `${plain(tableLabel(references, briefing))}.${plain(references.columnName)}`;
  const seen = `A foreign key to ${place} is declared; the check tells where it is not enforced`;
  return [{ column: name, references, isDeclared: true, likelihood: 0, seen }];
}

/** Non-empty tables by each stem of their name. */
const targets = new WeakMap<readonly Table[], Map<string, Table[]>>();

const isWritable = ({ schemaName, tableName }: TableName) =>
  canBeWritten(schemaName) && canBeWritten(tableName);

function targetsAbout(stem: string, tables: readonly Table[]): readonly Table[] {
  const known = targets.get(tables) ?? new Map<string, Table[]>();
  if (!targets.has(tables)) {
    targets.set(tables, known);
    for (const table of tables)
      if (table.kind === "Table" && table.profile?.rows !== 0 && isWritable(table))
        for (const part of new Set(entityOf(table.tableName)))
          known.set(part, [...(known.get(part) ?? []), table]);
  }
  return known.get(stem) ?? [];
}

function guess(table: Table, column: ColumnProfile, briefing: Briefing): FoundReference | null {
  const words = wordsOf(column.name);
  const last = words.at(-1) ?? "";
  const base = stemsOf(column.name).slice(0, keyWords.has(last) ? -1 : undefined);
  const fits: { target: Table; key: string; likelihood: number }[] = [];
  for (const target of targetsAbout(base.at(-1) ?? "", briefing.tables)) {
    if (target === table) continue;
    const key = keyNamed(target, column, last, briefing.dataSource.dialect);
    if (key === null) continue;
    const entity = entityOf(target.tableName);
    const isWhole = base.length > 0 && base.join(" ") === entity.join(" ");
    const isEnd = base.length > entity.length && base.slice(-entity.length).join(" ") === entity.join(" ");
    if (keyWords.has(last) && (isWhole || isEnd)) fits.push({ target, key, likelihood: isWhole ? 50 : 42 });
    // A key with exactly that name, in a table about it: `state` and `origin_state` → `us_states.state`.
    else if (entity.includes(base.at(-1) ?? "") && !isGeneric(key))
      fits.push({ target, key, likelihood: 34 });
  }
  const same = (target: Table) => Number(target.schemaName === table.schemaName);
  const [best, ...others] = fits.sort(
    (a, b) => same(b.target) - same(a.target) || b.likelihood - a.likelihood,
  );
  // If two are equally likely, neither is used.
  const isOne =
    best &&
    !others.some((each) => each.likelihood === best.likelihood && same(each.target) === same(best.target));
  if (!isOne || !canBeValuesOf(column, best.target, best.key, best.likelihood)) return null;
  const { schemaName, tableName } = best.target;
  const place = `${plain(tableLabel(best.target, briefing))}.${plain(best.key)}`;
  return {
    column: column.name,
    references: { schemaName, tableName, columnName: best.key },
    isDeclared: false,
    likelihood: best.likelihood,
    seen: `By its name and type it refers to ${place}, and no foreign key is declared${differentValues(column, best.target)}`,
  };
}

function differentValues({ different }: ColumnProfile, { profile }: Table): string {
  if (different === null) return "";
  const isTooMany = profile?.isWhole && different > profile.rows;
  const there = isTooMany ? `, but only ${plural(profile.rows, "row")} there: some are unknown today` : "";
  return `; ${plural(different, "different value")} were seen${there}`;
}

const isGeneric = (name: string) =>
  /^(id|key|code|name|type|status|value|number|no|date|day|time|year|month|title|description|level|version|kind|source)$/.test(
    wordsOf(name).join(" "),
  );

/** The column of the table that would contain such a value. */
function keyNamed(
  target: Table,
  column: ColumnProfile,
  last: string,
  dialect: Briefing["dataSource"]["dialect"],
): string | null {
  const primary = solePrimaryKey(target);
  const columns = target.columns.filter(({ name }) => canBeWritten(name));
  const isKey = ({ name }: { name: string }) =>
    name === primary ||
    (primary === null &&
      profiledColumns(target).some(
        (each) => each.name === name && each.different !== null && each.different === each.values,
      ));
  const named = columns.filter(isKey).filter(({ name }) => {
    const own = wordsOf(name).join(" ");
    const whole = wordsOf(column.name).join(" ");
    return own === last || own === whole || whole.endsWith(` ${own}`) || (own === "id" && keyWords.has(last));
  });
  const fitting = named.filter(({ type }) => isSameKind(dialects[dialect].kindOf(type), column.kind));
  return (fitting.find(({ name }) => name === primary) ?? fitting[0])?.name ?? null;
}

const isSameKind = (one: string, other: string) =>
  one === other && (one === "integer" || one === "text" || one === "uuid");

/** Far more distinct values than there are rows to reference, or no overlap at all, means another reference. */
function canBeValuesOf(column: ColumnProfile, target: Table, key: string, likelihood: number): boolean {
  const referred = profiledColumns(target).find(({ name }) => name === key);
  if (!referred || !target.profile?.isWhole) return true;
  const different = column.different ?? 0;
  if (likelihood < 50 && different > target.profile.rows * 1.5) return false;
  const [own, there] =
    column.kind === "integer"
      ? [span(column.least, column.greatest), span(referred.least, referred.greatest)]
      : [span(column.shortest, column.longest), span(referred.shortest, referred.longest)];
  return !own || !there || (own.from <= there.to && own.to >= there.from);
}

const span = (from: string | number | null, to: string | number | null) =>
  from === null || to === null ? null : { from: Number(from), to: Number(to) };
