import { expect, test } from "vitest";
import type { Contract } from "@/server/data-quality/schema.ts";
import { inContractOrder, isFoundContract, isInState } from "./contract-rows.ts";

const contract = (fields: Partial<Contract>) =>
  ({
    id: 1,
    name: "Flights",
    dataSourceName: "warehouse",
    schemaName: "public",
    tableName: "flights",
    failureThreshold: 80,
    enabled: true,
    latestScore: null,
    ...fields,
  }) as Contract;

test("a state is about the score against the contract's own threshold, or about the schedule", () => {
  const below = contract({ latestScore: 89.99, failureThreshold: 90, enabled: false });
  expect(isInState(below, "below")).toBe(true);
  expect(isInState(below, "met")).toBe(false);
  expect(isInState(below, "disabled")).toBe(true);
  expect(isInState(contract({ latestScore: 80 }), "met")).toBe(true);
  expect(isInState(contract({}), "waiting")).toBe(true);
  expect(isInState(contract({}), "disabled")).toBe(false);
});

test("a search looks at name, target and data source together", () => {
  expect(isFoundContract(contract({}), "ware public.fl")).toBe(true);
  expect(isFoundContract(contract({}), "ware movies")).toBe(false);
});

test("unscored contracts stand last in both directions, ties by name", () => {
  const list = [
    contract({ id: 1, name: "C", latestScore: null }),
    contract({ id: 2, name: "B", latestScore: 70 }),
    contract({ id: 3, name: "A", latestScore: 70 }),
    contract({ id: 4, name: "D", latestScore: 99 }),
  ];
  const names = (direction: "asc" | "desc") =>
    inContractOrder(list, "score", direction).map(({ name }) => name);
  expect(names("asc")).toEqual(["A", "B", "D", "C"]);
  expect(names("desc")).toEqual(["D", "A", "B", "C"]);
});
