import { expect, test } from "vitest";
import { wishesSchema } from "@/server/actors/wishes.ts";
import {
  checksFor,
  choiceIn,
  choiceKey,
  choiceTitle,
  emptyWishes,
  wishesFormOf,
  wishesInputOf,
  wishesProblems,
} from "./wishes-form.ts";

test("stored wishes survive the round trip; empty fields are no wishes", () => {
  const wishes = {
    tables: [{ schemaName: "sales", tableName: "orders" }, { schemaName: "crm" }],
    exclude: [{ schemaName: "sales", tableName: "orders", columnName: "note" }],
    checks: ["Volume" as const],
    schedule: { cronExpression: "0 7 * * *", timezone: "UTC" },
    maxChecks: 3,
  };
  expect(wishesInputOf(wishesFormOf(wishes))).toEqual(wishes);
  expect(wishesFormOf(null)).toEqual(emptyWishes);
  expect(wishesSchema.parse(wishesInputOf(emptyWishes))).toBeNull();
});

test("invalid values are reported on their field", () => {
  expect(wishesProblems(emptyWishes)).toEqual({});
  const schedule = { cronExpression: "often", timezone: "Mars/Base" };
  expect(wishesProblems({ ...emptyWishes, schedule, maxChecks: "many" })).toEqual({
    cronExpression: expect.stringContaining("five fields"),
    timezone: "is not an IANA time zone",
    maxChecks: "must be a number",
  });
});

test("choices are identified by their parts, whatever characters those contain", () => {
  for (const choice of [
    { schemaName: 'a."b', tableName: "c.d", columnName: "e" },
    { schemaName: "a", tableName: "b" },
    { schemaName: "a" },
  ])
    expect(choiceIn(choiceKey(choice))).toEqual(choice);
  expect([choiceTitle({ schemaName: "a" }), choiceTitle({ schemaName: "a", tableName: "b" })]).toEqual([
    ...["all of a", "a.b"],
  ]);
});

test("only checks the built-in planner supports are offered with it", () => {
  expect(checksFor(true)).toEqual(["Freshness", "Volume", "NullRate", "Uniqueness", "Referential"]);
  expect(checksFor(false)).toContain("Range");
});
