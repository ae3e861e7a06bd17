import { expect, test } from "vitest";
import { createActorInput, requestRevisionInput } from "./schema.ts";
import { isNote, wishesInWords } from "./wish-words.ts";
import { noWishes, type RequestWishes } from "./wishes.ts";

const actor = (wishes: unknown) =>
  createActorInput.safeParse({ name: "Guard", instructions: "Watch", dataSourceId: 1, wishes });
const paths = (wishes: unknown) => actor(wishes).error?.issues.map(({ path }) => path.join(".")) ?? [];

test("omitted properties get their defaults, and empty wishes are none", () => {
  expect(actor({ checks: ["Volume"] }).data?.wishes).toEqual({ tables: [], exclude: [], checks: ["Volume"] });
  for (const nothing of [undefined, null]) expect(actor(nothing).data?.wishes ?? null).toBeNull();
  expect(actor({}).data?.wishes).toBeNull();
  expect(actor({ tables: [], schedule: null, maxChecks: null }).data?.wishes).toBeNull();
  const revision = (wishes: unknown) =>
    requestRevisionInput.parse({ id: 1, feedback: "Otherwise", wishes }).wishes;
  expect(revision({ leaveOut: [] })).toBeNull();
  expect(revision({ leaveOut: [2] })).toEqual({ ...noWishes, leaveOut: [2] });
});

test("invalid wishes are rejected with their path", () => {
  expect(paths({ tables: [{ tableName: "orders" }] })).toEqual(["wishes.tables.0.schemaName"]);
  expect(paths({ tables: [{ schemaName: "a", tableName: "x".repeat(129) }] })).toEqual([
    "wishes.tables.0.tableName",
  ]);
  expect(paths({ tables: Array.from({ length: 201 }, () => ({ schemaName: "a" })) })).toEqual([
    "wishes.tables",
  ]);
  expect(paths({ exclude: [{ schemaName: "a", columnName: "b" }] })).toEqual(["wishes.exclude.0.tableName"]);
  expect(paths({ checks: ["CustomSql"] })).toEqual(["wishes.checks.0"]);
  expect(paths({ schedule: { cronExpression: "hourly" } })).toEqual(["wishes.schedule.cronExpression"]);
  expect(paths({ schedule: { cronExpression: "0 7 * * *", timezone: "Mars/Base" } })).toEqual([
    "wishes.schedule.timezone",
  ]);
  expect(paths({ maxChecks: 0 })).toEqual(["wishes.maxChecks"]);
  expect(paths({ maxChecks: 21 })).toEqual(["wishes.maxChecks"]);
  expect(paths({ leaveOut: [1] })).toEqual(["wishes"]);
});

test("wishes in words, which do not count as a note", () => {
  const wishes: RequestWishes = {
    tables: [{ schemaName: "sales", tableName: "orders" }, { schemaName: "crm" }],
    exclude: [{ schemaName: "sales", tableName: "orders", columnName: "note" }],
    checks: ["Freshness", "NullRate"],
    schedule: { cronExpression: "0 7 * * *", timezone: "UTC" },
    maxChecks: 1,
    leaveOut: [0, 4],
  };
  const words =
    "Tables: sales.orders, crm. Exclude: sales.orders.note. Checks: freshness, missing values. Schedule: 0 7 * * * (UTC). At most 1 check. Leave out actions 1, 5.";
  expect(wishesInWords(wishes)).toBe(words);
  expect(wishesInWords(null)).toBe("");
  expect([
    isNote(words, wishes),
    isNote(` ${words}\n`, wishes),
    isNote("", null),
    isNote(null, null),
  ]).toEqual([...[false, false, false, false]]);
  expect([isNote(words, null), isNote(`${words} Please.`, wishes)]).toEqual([true, true]);
  const tables = Array.from({ length: 200 }, () => ({
    schemaName: "s".repeat(128),
    tableName: "😀".repeat(60),
  }));
  const long = wishesInWords({ ...noWishes, tables });
  expect([long.length <= 4000, long.isWellFormed()]).toEqual([true, true]);
});
