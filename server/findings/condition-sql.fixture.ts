import { expect, test } from "vitest";
import { relationIn } from "../data-sources/dialects/clauses.ts";
import type { Dialect } from "../data-sources/dialects/dialect.ts";
import type { Session } from "../data-sources/engines/engine.ts";
import { useDatabase } from "../data-sources/service/connected-sources.ts";
import type { ColumnFacts, ObservedColumn } from "../profile/observed-column.ts";
import { type ObservedTable, observe } from "../profile/observed-table.ts";
import { momentOf, numberOf } from "../profile/plain-values.ts";
import { readSql } from "../profile/read-sql.ts";
import { type Condition, lookupIn, rowsAgainst } from "./condition.ts";
import { countSql, rowsOfAnySql, rowsSql } from "./condition-sql.ts";
import { countDoubted } from "./service/count-doubted.ts";

/** What texts differ in that databases like to pass over, and values that no text of SQL writes by itself. */
const texts = [
  "USD",
  "usd",
  " USD",
  "USD ",
  "Usd",
  "",
  "   ",
  "it's",
  "back\\slash",
  "a\nb",
  "é",
  "é",
  "🎈",
  "100%",
  "_",
  null,
];

/** Texts that are numbers and dates, and some that are not, or that some databases would read as others. */
const amounts = [
  ...["12.5", "13", "n/a", "abc", "-3", " 40 ", "1e2", ".5", "5.", "", "+7", "0x1A", "1,000", "1.2.3", "NaN"],
  null,
];
const filed = [
  ...["2024-03-01", "2024-02-30", "2023-02-29", "2024-02-29", "01.03.2024", "2024-03-05T10:00:00Z"],
  ...["2024-03-05 10:20:30.125", "soon", "", "2024-13-01", "2024-04-31", "2025-01-01 00:00:00+00:00", "99"],
  ...["2024-1-1", "2024-03-05 25:00", null],
];

const columns = [
  ["id", "integer", "integer"],
  ["label", "varchar(60)", "text"],
  ["code", "char(4)", "text"],
  ["price", "decimal(20,4)", "decimal"],
  ["weight", "double precision", "float"],
  ["day", "date", "date"],
  ["seen_at", "timestamp", "time"],
  ["total", "decimal(20,4)", "decimal"],
  ["parent", "integer", "integer"],
  ["amount", "varchar(40)", "text"],
  ["filed", "varchar(40)", "text"],
  ["due", "varchar(40)", "text"],
] as const;

/** Statements that make the table `hard`, with 16 rows, some of them alike, and its parents. */
export function hardTable({ quote, literal }: Dialect, relation: (name: string) => string): string[] {
  const type = (sqlType: string) =>
    sqlType === "timestamp" && quote("x") === "`x`" ? "datetime(3)" : sqlType;
  const written = columns.map(([name, sqlType]) => `${quote(name)} ${type(sqlType)}`).join(", ");
  const rows = texts.map((text, index) => [
    index + 1,
    text,
    index % 5 === 4 ? null : ["AB", "ab", "CD"][index % 3],
    index === 3 ? null : `${index * 7}.2500`,
    index * 0.1,
    `2024-0${1 + (index % 9)}-10`,
    index === 6 ? null : `2024-03-0${1 + (index % 9)} 10:20:30.${index % 2 === 0 ? "125" : "000"}`,
    index % 4 === 3 ? "999.5000" : `${index * 14}.5000`,
    index % 6 === 5 ? null : index % 8,
    amounts[index],
    filed[index],
    index === 11 ? "2024-12-31" : "2024-03-03",
  ]);
  const values = rows.map(
    (row) =>
      `(${row.map((value) => (value === null || value === undefined ? "null" : literal(value))).join(", ")})`,
  );
  return [
    `create table ${relation("hard")} (${written})`,
    `insert into ${relation("hard")} values ${values.join(", ")}`,
    `create table ${relation("parents")} (${quote("number")} integer)`,
    `insert into ${relation("parents")} values (0), (1), (2), (3), (5), (null)`,
    `create table ${relation("parts")} (${quote("whole")} integer, ${quote("amount")} decimal(20,4), ${quote("share")} decimal(4,2))`,
    // Of 1 two parts; of 2 one, of which a half is taken away; of 3 one that is not known; of 9 there is no row.
    `insert into ${relation("parts")} values (1, 3, 0), (1, 4.25, 0), (2, 28.5, 0.5), (3, null, 0), (5, 35.25, 0), (9, 1, 0), (null, 7, 0)`,
  ];
}

const facts: ColumnFacts[] = columns.map(([name, type, kind]) => ({
  name,
  type,
  kind,
  isNullable: true,
  isPrimaryKey: false,
}));

const partsFacts: ColumnFacts[] = (
  [
    ["whole", "integer"],
    ["amount", "decimal"],
    ["share", "decimal"],
  ] as const
).map(([name, kind]) => ({ name, type: kind, kind, isNullable: true, isPrimaryKey: false }));

const conditions = (parent: { schemaName: string; tableName: string; columnName: string }): Condition[] => [
  { is: "null", column: "label" },
  { is: "blank", column: "label" },
  ...texts
    .filter((text) => text !== null)
    .map((text): Condition => ({ is: "oneOf", column: "label", values: [text] })),
  { is: "oneOf", column: "label", values: ["usd", "é", "it's"] },
  { is: "has", column: "label", texts: ["SD"] },
  { is: "has", column: "label", texts: ["%", "_", "\\", "'s", "\n", "🎈"] },
  { is: "has", column: "label", texts: ["\u0301"] },
  { is: "has", column: "code", texts: ["B"] },
  { is: "padded", column: "label" },
  { is: "padded", column: "amount" },
  { is: "not", condition: { is: "padded", column: "label" } },
  { is: "oneOf", column: "code", values: ["AB"] },
  { is: "oneOf", column: "price", values: ["7.2500", "14.2500"] },
  { is: "oneOf", column: "day", values: ["2024-03-10"] },
  { is: "above", column: "price", bound: "40" },
  { is: "below", column: "price", bound: "8.5" },
  { is: "above", column: "weight", bound: "0.75" },
  { is: "above", column: "day", bound: "2024-05-10" },
  { is: "below", column: "seen_at", bound: "2024-03-04T10:20:30" },
  { is: "above", column: "id", bound: "12" },
  { is: "repeated", columns: ["code"] },
  { is: "repeated", columns: ["label"] },
  { is: "repeated", columns: ["day", "code"] },
  { is: "repeated", columns: ["day", "code"], wholeRows: true },
  { is: "orphan", column: "parent", parent },
  { is: "greater", left: "id", right: "price" },
  { is: "greater", left: "day", right: "seen_at" },
  {
    is: "unequal",
    total: "total",
    terms: [{ sign: 1, factors: ["price", { column: "price", times: 0, plus: 2 }] }],
    tolerance: 0.6,
  },
  {
    is: "unequal",
    total: "price",
    terms: [
      { sign: 1, factors: ["total"] },
      { sign: -1, factors: ["price"] },
    ],
    tolerance: 0.01,
  },
  {
    is: "unequalParts",
    key: "parent",
    terms: [{ sign: 1, factors: ["price"] }],
    parts: {
      ...partsOf(parent),
      terms: [{ sign: 1, factors: ["amount", { column: "share", times: -1, plus: 1 }] }],
    },
    tolerance: 0.01,
  },
  {
    is: "unequalParts",
    key: "parent",
    terms: [{ sign: 1, factors: ["id"] }],
    parts: { ...partsOf(parent), terms: [{ sign: 1, factors: [] }] },
    tolerance: 0.5,
  },
  { is: "above", column: "amount", bound: "12.7" },
  { is: "below", column: "amount", bound: "0" },
  { is: "above", column: "filed", bound: "2024-03-02" },
  { is: "below", column: "filed", bound: "2024-03-01T12:00:00" },
  { is: "greater", left: "amount", right: "price" },
  { is: "greater", left: "price", right: "amount" },
  { is: "greater", left: "filed", right: "day" },
  { is: "greater", left: "seen_at", right: "filed" },
  { is: "greater", left: "filed", right: "due", areMoments: true },
  { is: "greater", left: "amount", right: "label" },
  { is: "unequal", total: "amount", terms: [{ sign: 1, factors: ["price", "amount"] }], tolerance: 0.01 },
  { is: "not", condition: { is: "above", column: "amount", bound: "12.7" } },
  { is: "not", condition: { is: "above", column: "price", bound: "40" } },
  {
    is: "all",
    of: [
      { is: "not", condition: { is: "null", column: "label" } },
      {
        is: "any",
        of: [
          { is: "above", column: "id", bound: "9" },
          { is: "null", column: "price" },
        ],
      },
    ],
  },
  { is: "any", of: [] },
  { is: "all", of: [] },
];

const partsOf = ({ schemaName }: { schemaName: string }) => ({
  schemaName,
  tableName: "parts",
  columnName: "whole",
});

/** Every condition selects the same rows in the database as of what was read of it. */
export function selectsTheSameRows(source: () => { id: number; schemaName: string }): void {
  const read = (sql: string) =>
    useDatabase(source().id, (_, lent) =>
      lent.session((session) =>
        session.read(
          { sql, parameters: [], ownSql: true },
          { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 },
        ),
      ),
    );

  test("conditions select the same rows in the database as of what was read of it", async () => {
    const { id, schemaName } = source();
    await useDatabase(id, async (dialect) => {
      const observed = await observedFrom(dialect, schemaName, "hard", facts);
      const parents = await observedFrom(
        dialect,
        schemaName,
        "parents",
        facts.slice(0, 1).map((fact) => ({ ...fact, name: "number" })),
      );
      const lookup = lookupIn([parents, await observedFrom(dialect, schemaName, "parts", partsFacts)]);
      const table = { dialect, schemaName, tableName: "hard", columns: facts };
      let before: { condition: Condition; ids: readonly number[] } | null = null;
      for (const condition of conditions({ schemaName, tableName: "parents", columnName: "number" })) {
        const expected = [...rowsAgainst(condition, observed, lookup)].map((row) => row + 1);
        const [[count] = []] = (await read(countSql(table, condition))).rows;
        const { rows } = await read(rowsSql(table, condition));
        const ids = rows.map(([first]) => Number(first)).sort((a, b) => a - b);
        expect([condition, ids, Number(count)]).toEqual([condition, expected, expected.length]);
        // Of two conditions the rows of either, each once.
        const both = before ? [before.condition, condition, condition] : [condition];
        const either = new Set([...(before?.ids ?? []), ...ids]);
        const { rows: any } = await read(rowsOfAnySql(table, both));
        expect([both, any.map(([first]) => Number(first)).sort((a, b) => a - b)]).toEqual([
          both,
          [...either].sort((a, b) => a - b),
        ]);
        before = { condition, ids };
      }
    });
  });

  test("conditions that are decided row by row share one statement, with the same rows as each alone", async () => {
    const { id, schemaName } = source();
    const parent = { schemaName, tableName: "parents", columnName: "number" };
    const all = conditions(parent);
    await useDatabase(id, async (dialect, lent) => {
      const observed = await observedFrom(dialect, schemaName, "hard", facts);
      const number = facts.slice(0, 1).map((fact) => ({ ...fact, name: "number" }));
      const parents = await observedFrom(dialect, schemaName, "parents", number);
      const lookup = lookupIn([parents, await observedFrom(dialect, schemaName, "parts", partsFacts)]);
      const expected = all.map((condition) =>
        [...rowsAgainst(condition, observed, lookup)].map((row) => row + 1),
      );
      const table = { dialect, schemaName, tableName: "hard", columns: facts };
      for (const withRows of [true, false]) {
        let statements = 0;
        const counted = await lent.session((session) => {
          const read: Session["read"] = (...asked) => {
            statements++;
            return session.read(...asked);
          };
          return countDoubted({ read }, table, all, { withRows });
        });
        expect(counted.map((each) => each?.count)).toEqual(expected.map(({ length }) => length));
        if (withRows) expect(counted.map((each) => idsOf(each?.rows?.rows ?? []))).toEqual(expected);
        // The shared one, four conditions of repeated values, one of orphans, and two of parts.
        expect(statements).toBe(8);
      }
    });
  });

  test("texts are compared as the numbers and dates that they are, and others not at all", async () => {
    const { id, schemaName } = source();
    const rowsOf = (condition: Condition) =>
      useDatabase(id, async (dialect) => {
        const { rows } = await read(
          rowsSql({ dialect, schemaName, tableName: "hard", columns: facts }, condition),
        );
        return idsOf(rows);
      });
    // 13, 40 and 100: as texts, "5." and "abc" would be above 12.7, too, and "100" below.
    expect(await rowsOf({ is: "above", column: "amount", bound: "12.7" })).toEqual([2, 6, 7]);
    // Two moments of 5 March, and 2025. There is no 30 February, and "soon", "99" and "01.03.2024" are no ISO dates.
    expect(await rowsOf({ is: "above", column: "filed", bound: "2024-03-02" })).toEqual([6, 7, 12]);
    // Of these three, the last is after its due date, which is the end of 2024; the others after 3 March.
    const late: Condition = { is: "greater", left: "filed", right: "due", areMoments: true };
    expect(await rowsOf(late)).toEqual([6, 7, 12]);
  });

  test("where the server refuses one of them, the others are counted all the same", async () => {
    const { id, schemaName } = source();
    await useDatabase(id, async (dialect, lent) => {
      const gone: ColumnFacts = { ...(facts[0] as ColumnFacts), name: "gone" };
      const table = { dialect, schemaName, tableName: "hard", columns: [...facts, gone] };
      const wanted: Condition[] = [
        { is: "above", column: "id", bound: "12" },
        { is: "null", column: "gone" },
        { is: "null", column: "label" },
      ];
      const counted = await lent.session((session) =>
        countDoubted(session, table, wanted, { withRows: true }),
      );
      // Of 16 rows, those from 13 on; no such column; the last text is missing.
      expect(counted.map((each) => each?.count ?? null)).toEqual([4, null, 1]);
    });
  });

  async function observedFrom(
    dialect: Dialect,
    schemaName: string,
    tableName: string,
    of: readonly ColumnFacts[],
  ): Promise<ObservedTable> {
    const target = { schemaName, tableName };
    const { rows } = await read(`${readSql(dialect, target, of, { maxRows: 1000, spreadOver: null })}`);
    const observed = observe({ ...target, columns: of }, rows);
    return { ...observed, columns: observed.columns.map(asMostlyIs) };
  }
}

/** A column of texts with its numbers or dates, as if those that are none were rare among many more rows. */
function asMostlyIs(column: ObservedColumn): ObservedColumn {
  const { name, values } = column;
  if (name === "amount") return { ...column, numbers: Float64Array.from(values, numberOf) };
  return name === "filed" ? { ...column, moments: Float64Array.from(values, momentOf) } : column;
}

const idsOf = (rows: readonly (readonly unknown[])[]) =>
  rows.map(([first]) => Number(first)).sort((a, b) => a - b);

export const relationOf = (dialect: Dialect, schemaName: string) => (name: string) =>
  relationIn(dialect, schemaName, name);
