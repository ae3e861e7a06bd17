import { expect, test } from "vitest";
import { column, table } from "./models/briefing.fixture.ts";
import { fillingIn, type Reading, readingInWords, storableReading, together, wishesIn } from "./reading.ts";
import { noWishes, type RequestWishes } from "./wishes.ts";

const nothing: Reading = {
  ...{ tables: [], exclude: [], checks: [], schedule: null, maxChecks: null, leaveOut: [], rest: [] },
};
const known = {
  tables: [table("orders", { columns: [column("id", "bigint"), column("note", "text")] }), table("returns")],
  actions: 3,
};

test("only existing names, schedules with future times, and actions of the plan become wishes; the rest is reported", () => {
  const reading: Reading = {
    ...nothing,
    tables: [
      { schemaName: "sales", tableName: "orders" },
      { schemaName: "sales", tableName: null },
      { schemaName: "sales", tableName: "ORDERS" },
      { schemaName: "hr", tableName: null },
    ],
    exclude: [
      { schemaName: "sales", tableName: "orders", columnName: "note" },
      { schemaName: "sales", tableName: "orders", columnName: "total" },
      { schemaName: "sales", tableName: null, columnName: "id" },
    ],
    checks: ["Volume"],
    schedule: { cronExpression: "0 7 31 2 *", timezone: null },
    maxChecks: 21,
    leaveOut: [2, 0, 2, 3, -1],
  };
  const { wishes, unfit } = wishesIn(reading, known);
  expect(wishes).toEqual({
    tables: [
      { schemaName: "sales", tableName: "orders" },
      { schemaName: "sales", tableName: null },
    ],
    exclude: [{ schemaName: "sales", tableName: "orders", columnName: "note" }],
    checks: ["Volume"],
    leaveOut: [0, 2],
  });
  expect(unfit).toEqual([
    "“sales.ORDERS” is not among the tables that the actor can see",
    "“hr” is not among the tables that the actor can see",
    "“sales.orders.total” is not among the tables that the actor can see",
    "“sales.id” is not among the tables that the actor can see",
    "“0 7 31 2 *” is not a schedule",
    "A plan proposes 1 to 20 checks, not 21",
  ]);
  const schedule = { cronExpression: "0 7 * * *", timezone: null };
  expect(wishesIn({ ...nothing, schedule, maxChecks: 20 }, known)).toEqual({
    wishes: { ...noWishes, schedule: { cronExpression: "0 7 * * *", timezone: "UTC" }, maxChecks: 20 },
    unfit: [],
  });
  const zone = { cronExpression: "0 7 * * *", timezone: "Mars/Base" };
  expect(wishesIn({ ...nothing, schedule: zone }, known).unfit).toEqual([
    "“0 7 * * * (Mars/Base)” is not a schedule",
  ]);
});

test("choices in fields are kept; only empty fields are filled", () => {
  const chosen: RequestWishes = { ...noWishes, checks: ["Volume"], maxChecks: 2 };
  const read: RequestWishes = {
    ...{ tables: [{ schemaName: "sales" }], exclude: [], checks: ["Freshness"], maxChecks: 5 },
    leaveOut: [1],
  };
  const fills = fillingIn(read, chosen);
  expect(fills).toEqual({ ...noWishes, tables: [{ schemaName: "sales" }], leaveOut: [1] });
  expect(together(chosen, fills)).toEqual({
    ...{ tables: [{ schemaName: "sales" }], exclude: [], checks: ["Volume"], maxChecks: 2, leaveOut: [1] },
  });
  expect(fillingIn({ ...noWishes, checks: ["Freshness"] }, chosen)).toBeNull();
  expect([together(chosen, null), together(null, read), together(null, null)]).toEqual([chosen, read, null]);
});

test("in words, nothing in it is markup", () => {
  const fills: RequestWishes = { ...noWishes, tables: [{ schemaName: "sales", tableName: "a_b" }] };
  expect(
    readingInWords(fills, { rest: ["See [this](https://x.example)"], unfit: ["“<b>” is not there"] }),
  ).toBe(
    "Read from your note: Tables: sales.a_b.\n\n- “\\<b\\>” is not there.\n- Kept as a note: “See \\[this\\](https\\://x.example)”",
  );
  expect(readingInWords(null, { rest: [], unfit: [] })).toBe(
    "Your note sets none of the fields for tables, checks, and schedule.",
  );
});

test("what is stored is bounded, and PostgreSQL can store it", () => {
  const long = storableReading({
    ...nothing,
    tables: Array.from({ length: 300 }, () => ({ schemaName: "a\u0000".repeat(200), tableName: null })),
    checks: ["Volume", "Volume"],
    schedule: { cronExpression: "*\u0000".repeat(500), timezone: "\u0000" },
    rest: [" a\n b ", " ", ...Array.from({ length: 30 }, () => "x".repeat(1000))],
  });
  expect(long.tables).toHaveLength(200);
  expect(long.tables[0]).toEqual({ schemaName: "a".repeat(129), tableName: null });
  expect(long.checks).toEqual(["Volume"]);
  expect(long.schedule).toEqual({ cronExpression: "*".repeat(201), timezone: "" });
  expect(long.rest).toHaveLength(10);
  expect([long.rest[0], long.rest[1]?.length]).toEqual(["a b", 300]);
});
