import { expect, test } from "vitest";
import { aBriefing, aTable } from "../../test/factories/briefings.ts";
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

test("large tables before small ones, and nothing that is set aside", () => {
  expect(chosen()).toEqual(["logs", "large", "small", "a_view"]);
});

test("what people name comes first, and what they do not want not at all", () => {
  expect(chosen({ actor: { instructions: "The small ones matter. Ignore the logs." } })).toEqual([
    "small",
    "large",
    "a_view",
  ]);
  const occasion = { trigger: "UserInstruction", instruction: "also watch orders_backup" } as const;
  expect(chosen({ occasion })[0]).toBe("orders_backup");
});

test("after executions, only what its queries are about", () => {
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
