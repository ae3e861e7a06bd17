import { expect, test } from "vitest";
import { contractDifferenceWords } from "./contract-difference-words.ts";
import { emptyRule } from "./contract-form.ts";
import { mergeContracts } from "./merge-contract.ts";
import { emptyContract } from "./new-values.ts";

const base = emptyContract({
  ...{ name: "Flights", dataSourceId: 3, schemaName: "public", tableName: "flights" },
  rules: [
    { ...emptyRule("Volume"), key: "a", name: "Not empty", configuration: { minRows: 1, maxRows: null } },
    { ...emptyRule("Uniqueness"), key: "b", configuration: { column: "id" } },
  ],
});

test("differences are named as in the form", () => {
  const [volume, unique] = base.rules;
  if (!volume || !unique) throw new Error("There are two rules");
  const mine = {
    ...base,
    recipientIds: [1],
    description: "Of the day",
    rules: [
      { ...volume, configuration: { minRows: "5", maxRows: "" } },
      { ...emptyRule("Volume"), name: "New" },
    ],
  };
  const theirs = {
    ...base,
    tableName: "departures",
    alertOnFailure: false,
    rules: [unique, { ...volume, severity: "High" as const }],
  };
  const sides = { base, mine, theirs };
  const told = mergeContracts(sides, {}).differences.map((difference) => {
    const { label, text } = contractDifferenceWords(difference, sides, [{ id: 3, name: "Warehouse" }]);
    const after = difference.changedBy === "mine" ? difference.mine : difference.theirs;
    return `${label}: ${text(difference.base)} → ${text(after)}`;
  });
  expect(told).toEqual([
    "Table: Warehouse / public.flights → Warehouse / public.departures",
    "Description: empty → Of the day",
    "Alert on failure: on → off",
    "Recipients: 0 recipients → 1 recipient",
    "Rule “Uniqueness of id”: No id occurs twice → no such rule",
    "Rule “Not empty”: severity: Medium → High",
    "Rule “Not empty”: what it checks: The table has at least 1 row → The table has at least 5 rows",
    "Rule “New”: no such rule → The table has at most … rows",
  ]);
});
