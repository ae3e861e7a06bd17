import { expect, test } from "vitest";
import type { ContractContent } from "@/server/data-quality/version-schema.ts";
import { versionDifference, versionWords } from "./contract-version-difference.ts";

const key = (digit: number) => `0191e2c7-6a0b-7c3e-9a51-00000000000${digit}`;
const known = {
  ...{ key: key(1), name: "Known", type: "NullRate" as const, column: "id", severity: "Medium" as const },
  ...{ weight: 1, enabled: true, configuration: { column: "id", maxNullPercent: 5 } },
};
const filled = {
  ...{ key: key(2), name: "Not empty", type: "Volume" as const, column: null, severity: "High" as const },
  ...{ weight: 2, enabled: true, configuration: { minRows: 1 } },
};
const content: ContractContent = {
  ...{
    name: "Orders",
    description: null,
    context: null,
    dataSourceId: 1,
    schemaName: "public",
    tableName: "orders",
  },
  ...{
    cronExpression: "0 6 * * *",
    timezone: "UTC",
    failureThreshold: 80,
    enabled: true,
    alertOnFailure: true,
  },
  ...{ reminderHours: 24, createTasks: false, samples: "Masked", recipientIds: [7, 8] },
  rules: [known, filled],
};
const names = {
  sourceOf: (id: number) => (id === 1 ? "Warehouse" : `data source ${id}`),
  recipientOf: (id: number) => (id === 7 ? "Team" : `recipient ${id}, removed`),
};
const differ = (after: ContractContent) => versionDifference(content, after, names);

test("the same content does not differ", () => {
  expect(differ(structuredClone(content))).toEqual({ values: [], rules: [], isReordered: false });
});

test("fields show their value before and after; a table with its data source", () => {
  const after = {
    ...content,
    ...{
      failureThreshold: 95,
      description: "Of the shop",
      enabled: false,
      tableName: "sales",
      recipientIds: [8],
    },
  };
  expect(differ(after).values).toEqual([
    { label: "Table", before: "Warehouse / public.orders", after: "Warehouse / public.sales" },
    { label: "Description", before: "empty", after: "Of the shop" },
    { label: "Failure threshold", before: "80", after: "95" },
    { label: "Evaluate on schedule", before: "on", after: "off" },
    { label: "Recipients", before: "Team, recipient 8, removed", after: "recipient 8, removed" },
  ]);
});

test("of approved columns, those that differ are shown", () => {
  const column = (name: string, type: string) => ({ name, type, nullable: true });
  const approving = (...columns: object[]): ContractContent => ({
    ...content,
    rules: [{ ...filled, type: "Schema", configuration: { columns } }],
  });
  const before = approving(column("id", "integer"), column("note", "text"));
  const after = approving(column("id", "bigint"), column("seen", "date"));
  expect(versionDifference(before, after, names).rules).toMatchObject([
    {
      change: "Changed",
      values: [
        { label: "column removed: note", before: "text", after: "no such column" },
        { label: "type changed: id", before: "integer", after: "bigint" },
        { label: "column added: seen", before: "no such column", after: "date" },
      ],
    },
  ]);
});

test("rules are told apart by their keys: changed by value, added, and removed", () => {
  const stricter = {
    ...known,
    name: "No gaps",
    severity: "High" as const,
    configuration: { column: "id", maxNullPercent: 0 },
  };
  const added = { ...filled, key: key(3), name: "Filled" };
  expect(differ({ ...content, rules: [added, stricter] }).rules).toEqual([
    { key: key(3), name: "Filled", change: "Added", check: expect.stringContaining("1"), values: [] },
    {
      ...{ key: key(1), name: "No gaps", change: "Changed", check: expect.any(String) },
      values: [
        { label: "name", before: "Known", after: "No gaps" },
        { label: "severity", before: "Medium", after: "High" },
        { label: expect.any(String), before: "5", after: "0" },
      ],
    },
    { key: key(2), name: "Not empty", change: "Removed", check: expect.any(String), values: [] },
  ]);
});

test("what limits a rule to some rows is compared, too", () => {
  const limited = { ...known, configuration: { ...known.configuration, where: "paid", lastHours: 24 } };
  const [change] = differ({ ...content, rules: [limited, filled] }).rules;
  expect(change?.values).toEqual([
    { label: "only rows where", before: "empty", after: "paid" },
    { label: "only the last", before: "empty", after: "24" },
  ]);
});

test("a rule of another type is compared as a whole; another order is a change of its own", () => {
  const other = { ...filled, key: key(1), name: "Known" };
  const [change] = differ({ ...content, rules: [other, filled] }).rules;
  expect(change?.values.map(({ label }) => label)).toEqual(["severity", "weight", "what it checks"]);
  expect(differ({ ...content, rules: [filled, known] })).toEqual({
    values: [],
    rules: [],
    isReordered: true,
  });
});

test("a version in a line", () => {
  const version = {
    ...{
      number: 2,
      revision: 2,
      createdAt: "2026-01-01T00:00:00Z",
      createdBy: null,
      summary: "",
      restoredFrom: null,
    },
    changes: [
      { path: "schemaName", change: "Changed" as const, name: null },
      { path: "tableName", change: "Changed" as const, name: null },
      { path: `rules.${key(1)}`, change: "Added" as const, name: "Known" },
    ],
  };
  expect(versionWords(version)).toBe("Table; rule “Known” added");
  expect(versionWords({ ...version, restoredFrom: 1 })).toBe("Restored version 1");
  expect(versionWords({ ...version, number: 1, changes: [] })).toBe("First version");
});
