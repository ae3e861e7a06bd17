import { dialects } from "../../data-sources/dialects/dialects.ts";
import type { ColumnProfile } from "../../profile/table-profile.ts";
import { plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { Wishes } from "../wishes.ts";
import type { Candidate } from "./candidate.ts";
import { type CheckKind, checkKinds, type Table } from "./check.ts";
import { findReferences } from "./find-references.ts";
import { type Allowance, allowanceFor, arrivalRank } from "./freshness-allowance.ts";
import { duration, plain, someOf } from "./plain-text.ts";
import {
  hasPrimaryKey,
  isNamedLikeKey,
  isUniqueToday,
  keyColumns,
  profiledColumns,
  rowsOf,
  solePrimaryKey,
  tableLabel,
} from "./table-facts.ts";
import { isExcludedColumn } from "./wishes.ts";

/** Every possible check of a table, by its profile, limited to the requested kinds. */
export function findChecks(
  table: Table,
  briefing: Briefing,
  wishes: Wishes,
  kinds: readonly CheckKind[] = checkKinds,
): Candidate[] {
  if (!table.profile) return [];
  const context: Context = { briefing, wishes, label: plain(tableLabel(table, briefing)) };
  const finders: Record<CheckKind, (table: Table, context: Context) => Candidate[]> = {
    Freshness: freshness,
    Volume: volume,
    NullRate: missingValues,
    Uniqueness: duplicates,
    Referential: orphans,
  };
  const rows = rowsOf(table, briefing.dataSource.dialect)?.rows ?? 0;
  return kinds
    .flatMap((kind) => finders[kind](table, context))
    .map((found) => (rows > max.rows && isHeavy(found) ? { ...found, score: found.score - 25 } : found));
}

/** Compares every row with others, or with another table. */
const isHeavy = ({ check: { kind } }: Candidate) => kind === "Uniqueness" || kind === "Referential";

type Context = { briefing: Briefing; wishes: Wishes; label: string };

const nameOf = ({ schemaName, tableName }: Table) => ({ schemaName, tableName });
/** With fewer rows, what is normal cannot be known. */
const min = { rows: 20, volume: 10 };
const max = { missing: 20, wholeRow: 40, textLength: 64, rows: 20_000_000 };

export type LiveColumn = { column: ColumnProfile; allowance: Allowance };

/** The column that shows when rows arrive; null if there is none. */
export function liveColumn(table: Table, wishes: Wishes): LiveColumn | null {
  const live = profiledColumns(table).flatMap((column) => {
    const rank = arrivalRank(column);
    // Planned times, which rank below 1, say nothing about when rows arrived.
    const isTrace = rank >= 1 && !isExcludedColumn(wishes, table, column.name);
    const allowance = isTrace ? allowanceFor(column) : null;
    return allowance ? [{ column, allowance, rank }] : [];
  });
  return live.sort((a, b) => b.rank - a.rank)[0] ?? null;
}

function freshness(table: Table, { wishes, label }: Context): Candidate[] {
  const live = liveColumn(table, wishes);
  if (!live) return [];
  const { column, allowance } = live;
  const { maxAgeMinutes, ageMinutes, rhythm } = allowance;
  return [
    {
      check: { kind: "Freshness", ...nameOf(table), column: column.name, maxAgeMinutes },
      table,
      score: 60,
      seen: `The newest ${plain(column.name)} is ${duration(ageMinutes)} old, and ${rhythm}`,
      meaning: `A row says that the newest ${plain(column.name)} in ${label} is more than ${duration(maxAgeMinutes)} old, or that there is none.`,
      isFrequent: maxAgeMinutes < 1440,
    },
  ];
}

function volume(table: Table, { briefing, wishes, label }: Context): Candidate[] {
  const known = rowsOf(table, briefing.dataSource.dialect);
  if (!known || known.rows < min.volume) return [];
  const minRows = roundedDown(known.rows / 2);
  return [
    {
      check: { kind: "Volume", ...nameOf(table), minRows },
      table,
      score: liveColumn(table, wishes) ? 38 : 30,
      seen: `There are ${known.isExact ? "" : "about "}${plural(known.rows, "row")} today; half of that is the least`,
      meaning: `A row says that ${label} has fewer than ${plural(minRows, "row")}: something was deleted, or a load was cut short.`,
    },
  ];
}

/** Rounds down to two digits. */
function roundedDown(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.max(1, Math.floor(value / unit) * unit);
}

function missingValues(table: Table, { briefing, wishes, label }: Context): Candidate[] {
  const { profile } = table;
  if (!profile || profile.rows < min.rows) return [];
  const filled = profiledColumns(table).filter(
    ({ name, isNullable, isPrimaryKey, values }) =>
      isNullable && !isPrimaryKey && values === profile.rows && !isExcludedColumn(wishes, table, name),
  );
  if (filled.length === 0) return [];
  const columns = filled.slice(0, max.missing).map(({ name }) => name);
  const shownWith = keyColumns(table, briefing.dataSource.dialect);
  const names = someOf(columns.map((name) => plain(name)));
  const more = filled.length - columns.length;
  return [
    {
      check: { kind: "NullRate", ...nameOf(table), columns, shownWith },
      table,
      score: 46,
      seen: `${names} may be NULL, and ${columns.length === 1 ? "is" : "are"} so in none of ${scope(table)}${more > 0 ? `; ${more} more such columns are left out` : ""}`,
      meaning: `Each row of ${label} in the answer lacks ${columns.length === 1 ? `its ${names}` : "at least one of these values"}.`,
    },
  ];
}

function scope({ profile }: Table): string {
  const rows = plural(profile?.rows ?? 0, "row");
  return profile?.isWhole ? `all ${rows}` : `${rows} that were read`;
}

function duplicates(table: Table, context: Context): Candidate[] {
  const { briefing, wishes, label } = context;
  const { dialect } = briefing.dataSource;
  const unique = profiledColumns(table).filter((column) => isWorthBeingUnique(column, table, wishes));
  const sole = solePrimaryKey(table);
  const key = profiledColumns(table).find(
    ({ name, kind }) => name === sole && ["integer", "text", "time", "date"].includes(kind),
  );
  const found = unique.map((column): Candidate => {
    const isKey = !hasPrimaryKey(table) && isNamedLikeKey(column.name);
    return {
      check: {
        kind: "Uniqueness",
        ...nameOf(table),
        columns: [column.name],
        shownWith: key ? [key.name] : [],
        isWholeRow: false,
      },
      table,
      score: isKey ? 58 : isNamedLikeKey(column.name) ? 44 : 20,
      seen: `${plural(column.values, "value")} in ${scope(table)}, all different${isKey ? "; the table declares no primary key" : ""}`,
      meaning: `Each row is a ${plain(column.name)} that comes more than once in ${label}, with how often.`,
    };
  });
  return [...found, ...(unique.length === 0 ? repeatedRows(table, dialect, label) : [])];
}

function isWorthBeingUnique(column: ColumnProfile, table: Table, wishes: Wishes): boolean {
  const { name, kind, references, longest } = column;
  if (!isUniqueToday(column) || references || isExcludedColumn(wishes, table, name)) return false;
  // A declared primary key is enforced by the server.
  if (solePrimaryKey(table) === name) return false;
  if (isNamedLikeKey(name)) return true;
  const isFreeText =
    /(description|comment|note|text|body|message|title|address|url|path|content|summary)s?$/i.test(name);
  return kind === "text" && !isFreeText && (longest ?? 0) <= max.textLength && column.values >= 100;
}

/** Without a key or any unique column, only entirely repeated rows reveal that a load ran twice. */
function repeatedRows(table: Table, dialect: Briefing["dataSource"]["dialect"], label: string): Candidate[] {
  const columns = profiledColumns(table);
  const isComparable = ({ kind, type }: ColumnProfile) =>
    kind !== "other" || /^(bool|boolean|bit|tinyint\(1\)|enum|year)/.test(type.toLowerCase());
  const isComplete = columns.length === table.columns.length && columns.every(isComparable);
  const rows = rowsOf(table, dialect)?.rows ?? 0;
  if (table.kind !== "Table" || hasPrimaryKey(table) || !isComplete) return [];
  if (columns.length < 2 || columns.length > max.wholeRow || rows < min.rows || rows > 5_000_000) return [];
  if (!columns.every(({ type }) => dialects[dialect].canGroup(type))) return [];
  return [
    {
      check: {
        kind: "Uniqueness",
        ...nameOf(table),
        columns: columns.map(({ name }) => name),
        shownWith: [],
        isWholeRow: true,
      },
      table,
      score: 26,
      seen: "The table declares no primary key, and no column of it is unique",
      meaning: `Each row is one that ${label} holds more than once, the same in every column: a load that ran twice looks like this.`,
    },
  ];
}

function orphans(table: Table, { briefing, wishes, label }: Context): Candidate[] {
  const { dialect } = briefing.dataSource;
  return findReferences(table, briefing, wishes).map(
    ({ column, references, isDeclared, likelihood, seen }) => {
      const target = plain(tableLabel(references, briefing));
      return {
        check: {
          kind: "Referential",
          ...nameOf(table),
          column,
          references,
          shownWith: keyColumns(table, dialect),
        },
        table,
        score: isDeclared ? 22 : likelihood,
        seen,
        meaning: `Each row of ${label} in the answer has a value in ${plain(column)} that ${target} does not have.`,
      };
    },
  );
}

const nothingOf: Record<CheckKind, string> = {
  Freshness: "none of its columns shows rows that arrived lately",
  Volume: "it has too few rows to tell what is usual",
  NullRate: "none of its columns may be NULL and never is",
  Uniqueness: "nothing in it is unique today beyond the key that the database keeps",
  Referential: "none of its columns has the name and the type of another table's key",
};

/** Why no check of these kinds is proposed for a profiled table. */
export function whyNothing(table: Table, kinds: readonly CheckKind[] = checkKinds): string {
  if (!table.profile) return "it could not be read in time";
  if (table.profile.rows === 0) return "it is empty";
  const [only, ...more] = kinds;
  return only && more.length === 0 ? nothingOf[only] : "nothing in it can be told to be wrong by rules";
}
