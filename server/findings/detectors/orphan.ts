import { filledRows, type ObservedColumn, rowsWith } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import { withArticle } from "../../text.ts";
import type { Candidate, Detector } from "../candidate.ts";
import type { Condition } from "../condition.ts";
import { have, quoted, rowsOf, usualIn, withRows } from "../doubted.ts";
import { explainedBy, isAtTheEnd } from "../explained.ts";
import { rarityOf } from "../measured.ts";
import { folded } from "../near-texts.ts";
import { type Reference, referenceOf } from "./parents.ts";

const least = { rows: 20, none: 3, explained: 3 };
const most = { orphans: 0.1, respelled: 0.5 };

/** Values that should be those of another table, and are not; where the database itself does not see to it. */
export const orphans: Detector = (table, database) => {
  if (table.rowCount < least.rows) return [];
  return table.columns.flatMap((column) => {
    if (column.references) return [];
    const reference = referenceOf(table, column, database);
    return reference ? (orphansOf(table, column, reference) ?? []) : [];
  });
};

/** What is written for "none" in a column that points to another, when it is often there. */
const nones = new Set(["", "0", "-1"]);

function orphansOf(table: ObservedTable, column: ObservedColumn, reference: Reference): Candidate | null {
  const rowsIn = (index: number) => column.counts[index] ?? 0;
  const isNone = (index: number) => {
    const value = column.values[index]?.trim() ?? "";
    return value === "" || (nones.has(value) && rowsIn(index) >= least.none);
  };
  const others = new Set(ofAnotherKind(column, reference));
  if (others.size > 0 && !table.isWhole) return null;
  const pointsNowhere = (index: number) => isNone(index) || others.has(index);
  const none = reference.missing.filter(pointsNowhere);
  const missing = reference.missing.filter((index) => !pointsNowhere(index));
  const rows = rowsWith(column, missing);
  const outOf = filledRows(column) - rowsWith(column, none).length;
  const respelled = respelledIn(column, reference, missing);
  // What is merely written otherwise is wrong however often it is.
  const mostShare = respelled.length === missing.length ? most.respelled : most.orphans;
  if (rows.length === 0 || outOf < least.rows || rows.length > outOf * mostShare) return null;
  const { table: other, column: key } = reference.parent;
  const parent = { schemaName: other.schemaName, tableName: other.tableName, columnName: key.name };
  const orphan: Condition = { is: "orphan", column: column.name, parent };
  const without: Condition = {
    is: "oneOf",
    column: column.name,
    values: none.map((index) => column.values[index] ?? ""),
  };
  const used = column.values.length - reference.missing.length;
  return {
    kind: "Orphan",
    table,
    columns: [column.name],
    rows,
    condition: none.length === 0 ? orphan : { is: "all", of: [orphan, { is: "not", condition: without }] },
    outOf,
    statement:
      `${rowsOf(rows.length, outOf)} of ${table.tableName} ${have(rows.length)} ${withArticle(column.name)} that is no ${key.name} in ` +
      `${other.tableName}; all others have one that is${respelledText(respelled, missing.length)}.`,
    rule: {
      type: "Referential",
      configuration: {
        column: column.name,
        referenceTable: parent.tableName,
        referenceColumn: parent.columnName,
        ...(other.schemaName !== table.schemaName && { referenceSchema: other.schemaName }),
      },
    },
    features: {
      rarity: rarityOf(rows.length, outOf),
      few: 1 / rows.length,
      named: reference.named,
      isKey: Number(key.isPrimaryKey || other.columns[0] === key),
      // Many values that are all found are no chance; and a reference uses much of what there is.
      values: Math.min(1, Math.log10(used) / 3),
      used: used / key.values.length,
      isNumber: Number(column.numbers !== null),
      isBeyond: isBeyond(column, key, missing),
      // Of one that is missing, all rows have much in common anyway.
      explained: missing.length < least.explained ? 0 : (explainedBy(table, rows, [column.name])?.share ?? 0),
      isAtEnd: Number(isAtTheEnd(table, rows)),
      isRespelled: respelled.length / missing.length,
    },
    evidence: { doubted: withRows(column, missing), usual: usualIn(column, new Set(missing)) },
  };
}

/** A value that the parent does not have, and that of its values which has the same letters and digits. */
type Respelled = { value: string; key: string };

/** `GTXPro`, where the parent has `GTX Pro`: the same but for case, blanks, and punctuation. */
function respelledIn(column: ObservedColumn, { parent }: Reference, missing: readonly number[]): Respelled[] {
  if (column.kind !== "text" || missing.length === 0) return [];
  const keys = new Map(parent.column.values.map((key) => [folded(key), key]));
  return missing.flatMap((index) => {
    const value = column.values[index] ?? "";
    const key = keys.get(folded(value));
    return key === undefined || folded(value) === "" ? [] : [{ value, key }];
  });
}

function respelledText([first, ...others]: readonly Respelled[], missing: number): string {
  if (!first) return "";
  const more = others.length > 0 || missing > 1 ? ", among others" : "";
  return `: ${quoted(first.value)} is ${quoted(first.key)} there${more}`;
}

/** Fewer values begin alike by chance. */
const leastAlike = 5;

/**
 * Those of the missing values that name things of another kind, which are kept elsewhere or not at all: several begin alike,
 * and with another letter than every key of the parent does. A column may point to one of several tables.
 */
function ofAnotherKind(column: ObservedColumn, { parent, missing }: Reference): number[] {
  if (column.kind !== "text" || column.numbers) return [];
  const start = commonStart(parent.column.values);
  const byStart = Map.groupBy(missing, (index) => {
    const text = column.values[index] ?? "";
    const at = [...start].findIndex((character, place) => character !== text[place]);
    // Digits count on: what begins with 2026 comes after what begins with 2025.
    const differsInLetters = at >= 0 && /\p{L}/u.test(`${start[at]}${text[at] ?? ""}`);
    return differsInLetters ? text.slice(0, at + 1) : null;
  });
  return [...byStart].flatMap(([other, those]) => (other === null || those.length < leastAlike ? [] : those));
}

function commonStart(texts: readonly string[]): string {
  let [start = ""] = texts;
  for (const text of texts) while (!text.startsWith(start)) start = start.slice(0, -1);
  return start;
}

/** How many of the values lie above all that the parent has: rows that are yet to come there, or that never were. */
function isBeyond(column: ObservedColumn, key: ObservedColumn, missing: readonly number[]): number {
  if (!column.numbers || !key.numbers) return 0;
  let high = Number.NEGATIVE_INFINITY;
  for (const number of key.numbers) if (number > high) high = number;
  return missing.filter((index) => (column.numbers?.[index] ?? 0) > high).length / missing.length;
}
