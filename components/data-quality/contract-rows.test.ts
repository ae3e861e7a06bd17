import { expect, test } from "vitest";
import type { Contract } from "@/server/data-quality/schema.ts";
import { isInState, matchesContract, sortContracts } from "./contract-rows.ts";

const contract = (fields: Partial<Contract>) =>
  ({
    id: 1,
    name: "Flights",
    dataSourceName: "warehouse",
    schemaName: "public",
    tableName: "flights",
    failureThreshold: 80,
    enabled: true,
    measured: null,
    outage: null,
    ...fields,
  }) as Contract;

const measured = (score: number): Contract["measured"] => ({
  ...{ score, previousScore: null, trend: "Stable" as const },
  evaluatedAt: "2026-03-01T06:00:00.000Z",
});

test("a state compares the score with the contract's own threshold, or is about its schedule", () => {
  const below = contract({ measured: measured(89.99), failureThreshold: 90, enabled: false });
  expect(isInState(below, "below")).toBe(true);
  expect(isInState(below, "met")).toBe(false);
  expect(isInState(below, "disabled")).toBe(true);
  expect(isInState(contract({ measured: measured(80) }), "met")).toBe(true);
  expect(isInState(contract({}), "waiting")).toBe(true);
  expect(isInState(contract({}), "disabled")).toBe(false);
  const outage = { since: "2026-03-01T07:00:00.000Z", reason: "Nothing answers" };
  const unreachable = contract({ measured: measured(12), outage });
  expect(isInState(unreachable, "unreachable")).toBe(true);
  expect(isInState(unreachable, "below")).toBe(false);
});

test("a search covers name, target, and data source together", () => {
  expect(matchesContract(contract({}), "ware public.fl")).toBe(true);
  expect(matchesContract(contract({}), "ware movies")).toBe(false);
});

test("contracts without a score come last in both directions, ties by name", () => {
  const list = [
    contract({ id: 1, name: "C", measured: null }),
    contract({ id: 2, name: "B", measured: measured(70) }),
    contract({ id: 3, name: "A", measured: measured(70) }),
    contract({ id: 4, name: "D", measured: measured(99) }),
  ];
  const names = (direction: "asc" | "desc") =>
    sortContracts(list, "score", direction).map(({ name }) => name);
  expect(names("asc")).toEqual(["A", "B", "D", "C"]);
  expect(names("desc")).toEqual(["D", "A", "B", "C"]);
});
