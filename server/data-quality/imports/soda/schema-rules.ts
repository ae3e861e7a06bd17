import { catalogTypes } from "../catalog-types.ts";
import type { CheckedRows } from "../checked-rows.ts";
import {
  atPlacesSql,
  columnCountSql,
  isNamedLike,
  isOfType,
  missingColumnsSql,
  otherColumnsSql,
} from "../columns-sql.ts";
import { exactly } from "../limit.ts";
import type { Draft } from "../suite.ts";
import { isObject, NotCarriedOver, textOf } from "./check.ts";

/** One level of Soda's schema checks: which columns a table has, of which types, in which order. */

const none = exactly("0");
const typeNote = "The type is compared with its name in the database's catalog.";

type Condition = (value: unknown, rows: CheckedRows, level: Record<string, unknown>) => Draft[];

/** By what follows "when"; a data contract has `columns`. Each returns nothing if the value cannot be read. */
const conditions: Readonly<Record<string, Condition>> = {
  "required column missing": (value, rows) => {
    const names = namesIn(value);
    return names.length === 0 ? [] : [rows.figure(missingColumnsSql(rows, names), none)];
  },
  "forbidden column present": (value, rows) => {
    const patterns = namesIn(value).map((name) => isNamedLike(rows.dialect, name.replaceAll("*", "%")));
    return patterns.length === 0
      ? []
      : [rows.figure(columnCountSql(rows, `(${patterns.join(" or ")})`), none)];
  },
  "wrong column type": (value, rows) =>
    entriesIn(value).map(([name, type]) => typeRule(rows, name, [String(type)])),
  "wrong column index": (value, rows) => {
    const wanted = entriesIn(value).map(([name, index]) => {
      const place = Number(textOf(index) ?? Number.NaN);
      if (!Number.isSafeInteger(place) || place < 0)
        throw new NotCarriedOver(`The index of ${name} is not a whole number from 0`);
      // Soda counts from 0.
      return [name, place + 1] as const;
    });
    return wanted.length === 0
      ? []
      : [
          rows.figure(atPlacesSql(rows, wanted), exactly(String(wanted.length)), [
            "The first column has index 0.",
          ]),
        ];
  },
  "schema changes": (value, rows) => [approvedColumns(value, rows)],
  columns: (value, rows, { allowExtra, types }) => {
    const names = namesIn(value);
    if (names.length === 0) return [];
    return [
      rows.figure(missingColumnsSql(rows, names), none),
      ...(allowExtra === true ? [] : [rows.figure(otherColumnsSql(rows, names), none)]),
      ...typesRule(rows, entriesIn(types)),
    ];
  },
};
/** They belong to `columns`. */
const details = ["allowExtra", "types"];

/** Throws NotCarriedOver. */
export function schemaRules(level: unknown, rows: CheckedRows): Draft[] {
  if (!isObject(level)) throw new NotCarriedOver("Says nothing of which columns there are");
  const drafts = Object.entries(level).flatMap(([key, value]) => {
    if (details.includes(key)) return [];
    const name = key.replace(/^when /, "");
    const condition = Object.hasOwn(conditions, name) ? conditions[name] : undefined;
    const own = condition?.(value, rows, level) ?? [];
    if (own.length === 0) throw new NotCarriedOver(`No kind of rule says ${key}`);
    return own;
  });
  if (drafts.length === 0) throw new NotCarriedOver("Says nothing of which columns there are");
  return drafts;
}

const typeRule = (rows: CheckedRows, name: string, types: readonly string[]) =>
  rows.figure(columnCountSql(rows, isOfType(rows.dialect, name, types)), exactly("1"), [typeNote]);

/** All columns of a data contract in one rule. Other databases' names of a type count, too. */
function typesRule(rows: CheckedRows, types: readonly [string, unknown][]): Draft[] {
  if (types.length === 0) return [];
  const ofTypes = types.map(([name, type]) => {
    const known = catalogTypes(String(type));
    return `(${isOfType(rows.dialect, name, known.length === 0 ? [String(type)] : known)})`;
  });
  const counted = columnCountSql(rows, `(${ofTypes.join(" or ")})`);
  return [
    rows.figure(counted, exactly(String(types.length)), [
      typeNote,
      "Lengths and precisions are not compared.",
    ]),
  ];
}

/** What Soda calls each change, and the property that says what it does. */
const effects: Readonly<Record<string, "whenAdded" | "whenRemoved" | "whenTypeChanged" | "whenMoved">> = {
  "column add": "whenAdded",
  "column delete": "whenRemoved",
  "column type change": "whenTypeChanged",
  "column index change": "whenMoved",
};

/** The columns that the table has when it is imported, as approved. */
function approvedColumns(value: unknown, { table }: CheckedRows): Draft {
  const said = textOf(value) === "any" ? Object.keys(effects) : namesIn(value);
  const unknown = said.find((each) => !Object.hasOwn(effects, each));
  if (said.length === 0 || unknown !== undefined)
    throw new NotCarriedOver(
      `Is no change of columns that Soda knows: ${String(unknown ?? value).slice(0, 100)}`,
    );
  const fails = new Set(said.map((each) => effects[each]));
  return {
    type: "Schema",
    configuration: {
      columns: table.catalog ?? [],
      ...Object.fromEntries(
        Object.values(effects).map((property) => [property, fails.has(property) ? "Fail" : "Ignore"]),
      ),
      // Soda does not look at it.
      whenNullabilityChanged: "Ignore",
    },
    notes: [
      "Compares with the columns that the table had at the first import, rather than at the last scan.",
    ],
  };
}

const namesIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each) => textOf(each)?.trim() ?? []);

const entriesIn = (value: unknown) => (isObject(value) ? Object.entries(value) : []);
