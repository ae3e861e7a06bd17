import { expect, test } from "vitest";
import { aBriefing, aTable } from "../../test/factories/briefings.ts";
import { noWishes } from "../wishes.ts";
import { tablesToProfile } from "./tables-to-profile.ts";

const tables = [
  aTable({ tableName: "small", rows: 10 }),
  aTable({ tableName: "large", rows: 1_000_000 }),
  aTable({ tableName: "a_view", kind: "View", rows: 0 }),
  aTable({ tableName: "logs", rows: 9_000_000 }),
  aTable({ tableName: "orders_backup", rows: 5000 }),
];
const chosen = (given: Parameters<typeof aBriefing>[0] = {}) =>
  tablesToProfile(tables, aBriefing(given)).map(({ tableName }) => tableName);

test("large tables before small ones, and none that are set aside", () => {
  expect(chosen()).toEqual(["logs", "large", "small", "a_view"]);
});

test("those that people choose, and not those they exclude", () => {
  const named = (tableName: string) => ({ schemaName: "public", tableName });
  const wishes = { ...noWishes, exclude: [named("logs")] };
  expect(chosen({ actor: { wishes } })).toEqual(["large", "small", "a_view"]);
  const asked = { ...noWishes, tables: [named("small"), named("orders_backup"), named("logs")] };
  const occasion = { trigger: "UserInstruction" as const, wishes: asked };
  expect(chosen({ occasion })).toEqual(["logs", "orders_backup", "small"]);
  // A request names a table that the actor otherwise ignores.
  expect(chosen({ occasion, actor: { wishes } })).toEqual(["logs", "orders_backup", "small"]);
});

test("after executions, only those of its queries", () => {
  const queries = [
    {
      id: 1,
      name: "Q",
      description: null,
      sql: 'select 1 from "small"',
      activeVersion: 1,
      subscriptions: [],
    },
  ];
  const occasion = { trigger: "SubscriptionExecution", finishedExecutionIds: [5] } as const;
  expect(chosen({ queries, occasion: { ...occasion, finishedExecutionIds: [5] } })).toEqual(["small"]);
  expect(chosen({ queries, occasion: { ...occasion, finishedExecutionIds: [] } })[0]).toBe("small");
});
