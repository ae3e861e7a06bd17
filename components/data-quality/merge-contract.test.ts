import { expect, test } from "vitest";
import { emptyRule, type RuleForm } from "./contract-form.ts";
import { mergeContracts } from "./merge-contract.ts";
import { emptyContract } from "./new-values.ts";

const rule = (key: string, more: Partial<RuleForm> = {}): RuleForm => ({
  ...emptyRule("NullRate"),
  key,
  name: `Rule ${key}`,
  configuration: { column: "delay", maxNullPercent: "5" },
  ...more,
});

const base = emptyContract({
  ...{ name: "Flights", dataSourceId: 3, schemaName: "public", tableName: "flights" },
  recipientIds: [1, 2],
  rules: [rule("a"), rule("b")],
});

test("both people's changes are kept", () => {
  const mine = {
    ...base,
    name: "Flights: daily load",
    recipientIds: [1, 2, 3],
    rules: [rule("a", { weight: "5" }), rule("b"), { ...emptyRule("Volume"), name: "Mine" }],
  };
  const theirs = {
    ...base,
    failureThreshold: "95",
    recipientIds: [2],
    rules: [rule("a", { severity: "High" }), rule("c")],
  };
  const { value, differences } = mergeContracts({ base, mine, theirs }, {});
  expect(value).toEqual({
    ...base,
    name: "Flights: daily load",
    failureThreshold: "95",
    recipientIds: [2, 3],
    rules: [
      rule("a", { weight: "5", severity: "High" }),
      { ...emptyRule("Volume"), name: "Mine" },
      rule("c"),
    ],
  });
  expect(differences.filter(({ isConflict }) => isConflict)).toEqual([]);
  expect(Object.fromEntries(differences.map(({ path, changedBy }) => [path, changedBy]))).toEqual({
    name: "mine",
    failureThreshold: "theirs",
    recipientIds: "both",
    "rules.a.weight": "mine",
    "rules.a.severity": "theirs",
    "rules.b": "theirs",
    "rules.new-2": "mine",
    "rules.c": "theirs",
  });
});

test("conflicts need a choice: the table as a whole, a rule's check as a whole", () => {
  const mine = {
    ...base,
    tableName: "departures",
    rules: [rule("a", { configuration: { column: "delay", maxNullPercent: "1" } }), rule("b")],
  };
  const theirs = {
    ...base,
    dataSourceId: 4,
    rules: [rule("a", { configuration: { column: "arrival", maxNullPercent: "5" } }), rule("b")],
  };
  const merge = (choices = {}) => mergeContracts({ base, mine, theirs }, choices);
  expect(
    merge()
      .differences.filter(({ isConflict }) => isConflict)
      .map(({ path }) => path),
  ).toEqual(["target", "rules.a.check"]);
  expect(merge().value).toEqual(mine);
  expect(merge({ target: "theirs", "rules.a.check": "theirs" }).value).toEqual(theirs);
  expect(merge({ target: "theirs" }).value).toMatchObject({ dataSourceId: 4, tableName: "flights" });
});
