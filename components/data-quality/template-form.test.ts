import { expect, test } from "vitest";
import type { RuleTemplate } from "@/server/data-quality/templates/schema.ts";
import {
  emptyTemplate,
  previewInputOf,
  templateFormOf,
  templateFormPath,
  templateInputOf,
  templateProblemsOf,
} from "./template-form.ts";

const template: RuleTemplate = {
  ...{ id: 1, projectId: 7, name: "References are set", enabled: true, revision: 3, isApplied: true },
  selector: { dataSourceIds: [2], schemas: [], tables: ["*", "!tmp_*"], tags: ["pii"], columns: ["*_id"] },
  rule: {
    ...{ name: "{column} is never NULL", type: "NullRate", severity: "High", weight: 2 },
    configuration: { maxNullPercent: 0 },
  },
  newContracts: { cronExpression: "30 5 * * *", timezone: "Europe/Berlin" },
  ...{ contractCount: 1, ruleCount: 2, departedCount: 0, createdBy: null, updatedBy: null },
  ...{ createdAt: "2025-11-20T10:42:59.000Z", updatedAt: "2025-11-20T10:42:59.000Z" },
};

test("a template comes back as it was", () => {
  const { name, projectId, enabled, selector, rule, newContracts } = template;
  expect(templateInputOf(templateFormOf(template))).toEqual({
    ...{ name, projectId, enabled, selector, rule, newContracts },
  });
  expect(templateProblemsOf(templateFormOf(template))).toEqual([]);
});

test("patterns are one per line, without empty lines", () => {
  const form = {
    ...templateFormOf(template),
    tables: " orders \r\n\n order,items\n",
    createsContracts: false,
  };
  expect(templateInputOf(form)).toMatchObject({
    selector: { tables: ["orders", "order,items"] },
    newContracts: null,
  });
});

test("problems are at the form's own fields", () => {
  const form = { ...emptyTemplate(1), createsContracts: true, cronExpression: "never" };
  expect(templateProblemsOf(form).map(({ path }) => path)).toEqual([
    "name",
    "rules.0.configuration.maxNullPercent",
    "cronExpression",
  ]);
  expect(templateFormPath("selector.columns.3")).toBe("columns");
  expect(templateFormPath("rule.type")).toBe("rules.0.type");
  const [unnamed] = [{ ...templateFormOf(template), columns: "", rules: templateFormOf(template).rules }];
  expect(templateProblemsOf(unnamed as never)).toEqual([
    { path: "columns", message: "needs at least one pattern" },
  ]);
});

test("an unnamed rule is named after its kind, and a preview needs no name", () => {
  const form = { ...templateFormOf(template), name: "" };
  form.rules = form.rules.map((rule) => ({ ...rule, name: "" }));
  expect(templateInputOf(form).rule.name).toBe("Null rate of {column}");
  expect(previewInputOf(form)).toMatchObject({ projectId: 7, selector: { columns: ["*_id"] } });
  expect(previewInputOf({ ...form, columns: "" })).toBeNull();
});
