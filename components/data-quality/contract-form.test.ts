import { expect, test } from "vitest";
import type { Contract } from "@/server/data-quality/schema.ts";
import { contractInputOf, emptyRule, formOf, ruleOfType, rulesDiffer } from "./contract-form.ts";
import { problemsOf } from "./contract-problems.ts";
import { copyOfRule, emptyContract } from "./new-values.ts";

const target = { name: "Flights", dataSourceId: 3, schemaName: "public", tableName: "flights" };

const stored: Contract = {
  ...target,
  id: 7,
  description: null,
  context: "Amounts are in cents.",
  projectId: 1,
  dataSourceName: "warehouse",
  cronExpression: "0 6 * * *",
  timezone: "Europe/Berlin",
  failureThreshold: 92.5,
  enabled: true,
  alertOnFailure: false,
  reminderHours: 48,
  createTasks: true,
  openTaskId: null,
  owner: null,
  silencedUntil: null,
  silencedBy: null,
  silenceReason: null,
  samples: "Full",
  revision: 1,
  version: 1,
  recipients: [],
  rules: [
    {
      id: 70,
      key: "7e6cf0a8-9f3f-4be4-a8ba-1b1d4bd0d5b5",
      name: "Delay is plausible",
      type: "Range",
      column: "delay",
      severity: "High",
      weight: 1.5,
      enabled: true,
      configuration: { column: "delay", min: "-60", schema: "public", table: "flights" },
    },
  ],
  latestScore: null,
  previousScore: null,
  trend: null,
  lastEvaluatedAt: null,
  measured: null,
  outage: null,
  openAlert: null,
  nextRunAt: null,
  createdAt: "2025-01-01T00:00:00.000Z",
  updatedAt: "2025-01-01T00:00:00.000Z",
};

test("a stored contract survives the round trip, and its rules keep their keys", () => {
  expect(contractInputOf(formOf(stored))).toEqual({
    ...target,
    description: null,
    context: "Amounts are in cents.",
    cronExpression: "0 6 * * *",
    timezone: "Europe/Berlin",
    failureThreshold: 92.5,
    enabled: true,
    alertOnFailure: false,
    reminderHours: 48,
    createTasks: true,
    samples: "Full",
    recipientIds: [],
    rules: [
      {
        key: "7e6cf0a8-9f3f-4be4-a8ba-1b1d4bd0d5b5",
        name: "Delay is plausible",
        type: "Range",
        severity: "High",
        weight: 1.5,
        enabled: true,
        configuration: { column: "delay", min: "-60" },
      },
    ],
  });
  expect(problemsOf(formOf(stored))).toEqual([]);
});

test("numbers are sent as numbers, bounds as exact text, and empty fields are omitted", () => {
  const volume = { ...emptyRule("Volume"), configuration: { minRows: 10, maxRows: null } };
  const range = {
    ...emptyRule("Range"),
    configuration: { column: "amount", min: "", max: "12345678901234567890.10" },
  };
  const input = contractInputOf(emptyContract({ ...target, rules: [volume, range] }));
  expect(input.rules[0]?.configuration).toEqual({ minRows: 10 });
  expect(input.rules[1]?.configuration).toEqual({ column: "amount", max: "12345678901234567890.10" });
});

test("a rule without a name is named after what it checks", () => {
  const rule = { ...emptyRule("Uniqueness"), configuration: { column: "iata" } };
  expect(contractInputOf(emptyContract({ ...target, rules: [rule] })).rules[0]?.name).toBe(
    "Uniqueness of iata",
  );
});

test("a copied rule is independent", () => {
  const [rule] = formOf(stored).rules;
  if (!rule) throw new Error("The contract has a rule");
  const copy = copyOfRule(rule);
  copy.configuration.min = "0";
  expect(copy.key).toBeUndefined();
  expect(copy.name).toBe("Delay is plausible (copy)");
  expect(rule.configuration.min).toBe("-60");
});

test("missing values are reported by the path of their field", () => {
  const rules = [emptyRule("NullRate"), emptyRule("CustomSql")];
  const form = emptyContract({ rules, cronExpression: "every day", failureThreshold: "101" });
  expect(problemsOf(form)).toEqual([
    { path: "name", message: "is required" },
    { path: "dataSourceId", message: "is required" },
    { path: "tableName", message: "is required" },
    {
      path: "cronExpression",
      message: "must have five fields: minute, hour, day of month, month, day of week",
    },
    { path: "failureThreshold", message: "must be at most 100" },
    { path: "rules.0.configuration.column", message: "is required" },
    { path: "rules.0.configuration.maxNullPercent", message: "is required" },
    { path: "rules.1.configuration.sql", message: "is required" },
  ]);
});

test("an invalid number is rejected at its field", () => {
  const rule = { ...emptyRule("NullRate"), configuration: { column: "delay", maxNullPercent: "five" } };
  const heavy = { ...emptyRule("Uniqueness"), weight: "11", configuration: { column: "delay" } };
  expect(problemsOf(emptyContract({ ...target, rules: [rule] }))).toEqual([
    { path: "rules.0.configuration.maxNullPercent", message: "must be a number" },
  ]);
  expect(problemsOf(emptyContract({ ...target, rules: [heavy] }))).toEqual([
    { path: "rules.0.weight", message: "must be at most 10" },
  ]);
});

test("a contract needs at least one rule", () => {
  expect(problemsOf(emptyContract(target))).toEqual([{ path: "rules", message: "needs at least one rule" }]);
});

test("old rules' results are dropped only if a rule changed", () => {
  const { rules } = formOf(stored);
  expect(rulesDiffer(rules, formOf(stored).rules)).toBe(false);
  expect(rulesDiffer(rules, [...rules, emptyRule("Volume")])).toBe(true);
  expect(
    rulesDiffer(
      rules,
      rules.map((rule) => ({ ...rule, weight: "2" })),
    ),
  ).toBe(true);
});

test("schema messages are kept unless they mention keys", () => {
  const noBound = { ...emptyRule("Range"), configuration: { column: "delay" } };
  const crossed = { ...emptyRule("Volume"), configuration: { minRows: 2, maxRows: 1 } };
  expect(problemsOf(emptyContract({ ...target, rules: [noBound, crossed] }))).toEqual([
    { path: "rules.0.configuration.min", message: "One of the two bounds is required" },
    { path: "rules.1.configuration.minRows", message: "must not be above the upper bound" },
  ]);
});

test("a rule of another type is another rule, with the column and options that both have", () => {
  const rule = {
    ...emptyRule("Range"),
    ...{ key: "k", name: "Mine", weight: "3" },
    configuration: { ...emptyRule("Range").configuration, column: "delay", min: "1", where: "x" },
  };
  const other = ruleOfType(rule, "NullRate");
  expect(other).toMatchObject({ type: "NullRate", name: "Mine", weight: "3" });
  expect(other).not.toHaveProperty("key");
  expect(other.configuration).toMatchObject({ column: "delay", where: "x", maxNullPercent: null });
  expect(other.configuration).not.toHaveProperty("min");
  expect(ruleOfType(rule, "Schema").configuration).not.toHaveProperty("where");
});
