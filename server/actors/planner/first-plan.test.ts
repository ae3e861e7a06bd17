import { expect, test } from "vitest";
import type { Fault } from "../../findings/fault.ts";
import { aBriefing, aTable } from "../../test/factories/briefings.ts";
import type { ProposedAction } from "../proposal.ts";
import { noWishes, type RequestWishes, type Wishes } from "../wishes.ts";
import { proposeByRule } from "./propose-by-rule.ts";

const id = { name: "id", isPrimaryKey: true };
const text = { type: "text", isNullable: true };
const tables = [
  aTable({ tableName: "orders", columns: [id, { name: "email", ...text }, { name: "city", ...text }] }),
  aTable({ tableName: "items", columns: [id, { name: "note", ...text }] }),
];

/** A fault in rows with a missing value. */
const fault = (tableName: string, column: string, more: Partial<Fault> = {}): Fault => ({
  ...{ findingId: null, schemaName: "public", tableName, kind: "MissingValue", columns: [column] },
  ...{ confidence: 0.97, severity: "Medium", rank: 0.01, evidence: {}, rule: null },
  statement: `2 of 1,000 rows of ${tableName} have no ${column}; all others do.`,
  condition: { is: "null", column },
  rowsSql: `select doubted.*\nfrom "public"."${tableName}" as doubted\nwhere doubted."${column}" is null`,
  ...{ failingRows: 2, totalRows: 1000 },
  ...more,
});
const three = [fault("orders", "email"), fault("orders", "city"), fault("items", "note")];

const plan = (items: Fault[], more: Parameters<typeof aBriefing>[0] = {}) =>
  proposeByRule(aBriefing({ tables, findings: { items, tablesRead: 2, isComplete: true }, ...more }), null);
const names = ({ actions }: { actions: ProposedAction[] }) =>
  actions.flatMap((action) => (action.kind === "CreateQuery" ? [action.name] : []));
const wished = (wishes: Partial<Wishes>) => ({ actor: { wishes: { ...noWishes, ...wishes } } });

test("each finding has a query, before any check, and each query has a schedule", () => {
  const proposal = plan(three);
  expect(names(proposal).slice(0, 3)).toEqual([
    ...["Missing email in orders", "Missing city in orders", "Missing note in items"],
  ]);
  expect(proposal.summary).toBe(
    "3 things look wrong today. Watch 2 tables with 5 checks: what looks wrong (3) and volume (2).",
  );
  expect(proposal.keyFindings.slice(0, 3)).toEqual(three.map(({ statement }) => statement));
  expect(proposal.actions.slice(0, 2)).toMatchObject([
    {
      sql: expect.stringContaining(
        '-- Looks wrong in "public"."orders": MissingValue of "email"\nselect doubted.*',
      ),
    },
    { kind: "CreateSubscription", queryName: "Missing email in orders" },
  ]);
});

test("if there is not enough room, findings of a table share a query, and those without one are still named", () => {
  const two = plan(three, { limits: { queriesLeft: 2 } });
  expect(names(two)).toEqual(["Wrong values in orders", "Missing note in items"]);
  expect(two.actions[0]).toMatchObject({
    sql: expect.stringContaining('where (doubted."email" is null)\n   or (doubted."city" is null)'),
  });
  const one = plan(three, { limits: { queriesLeft: 1 } });
  expect(names(one)).toEqual(["Wrong values in orders"]);
  expect(one.analysis).toContain("3 things look wrong today");
  expect(one.analysis).toContain("**items**, no query: 2 of 1,000 rows of items have no note");
});

test("only what was chosen is looked for", () => {
  const orders = { schemaName: "public", tableName: "orders" };
  const first = (wishes: Partial<Wishes>) => names(plan(three, wished(wishes)));
  expect(first({ tables: [{ schemaName: "public", tableName: "items" }] })[0]).toBe("Missing note in items");
  expect(first({ exclude: [{ ...orders, columnName: "email" }] })).not.toContain("Missing email in orders");
  expect(first({ checks: ["Volume"] }).filter((name) => name.startsWith("Missing"))).toEqual([]);
  expect(first({ checks: ["NullRate"] })).toEqual([
    ...["Missing email in orders", "Missing city in orders", "Missing note in items"],
  ]);
});

test("missing rows become a check of freshness or volume, once", () => {
  const stale = fault("orders", "at", {
    ...{ kind: "Stale", condition: null, rowsSql: null, failingRows: 0 },
    rule: { type: "Freshness", configuration: { column: "at", maxAgeMinutes: 1440 } },
  });
  const short = fault("items", "id", {
    ...{ kind: "Truncated", condition: null, rowsSql: null, failingRows: 0 },
    rule: { type: "Volume", configuration: { minRows: 1200 } },
  });
  const proposed = names(plan([stale, short]));
  expect(proposed.slice(0, 2)).toEqual(["No new rows in orders", "Too few rows in items"]);
  expect(proposed.filter((name) => name === "Too few rows in items (2)")).toEqual([]);
});

test("a name that a query would take for a parameter is only mentioned in the analysis", () => {
  const odd = fault("orders", "{{x}}");
  expect(names(plan([odd])).filter((name) => name.startsWith("Missing {{"))).toEqual([]);
  expect(plan([odd]).summary).toContain("1 thing looks wrong today.");
});

test("a revised plan keeps findings only of the chosen tables, columns, and checks", () => {
  const { actions } = plan(three);
  const revised = (wishes: Partial<RequestWishes>) =>
    names(
      plan([], {
        occasion: {
          wishes: { ...noWishes, ...wishes },
          revision: { feedback: "", analysis: "", keyFindings: [], actions },
        },
      }),
    );
  expect(revised({ tables: [{ schemaName: "public", tableName: "items" }] })).not.toContain(
    "Missing email in orders",
  );
  expect(revised({ checks: ["NullRate"] })).toEqual(
    expect.arrayContaining(["Missing email in orders", "Missing note in items"]),
  );
  expect(revised({ checks: ["Volume"] }).filter((name) => name.startsWith("Missing"))).toEqual([]);
  expect(
    revised({ exclude: [{ schemaName: "public", tableName: "orders", columnName: "email" }] }),
  ).not.toContain("Missing email in orders");
});

test("what already has a query is not proposed again", () => {
  const { actions } = plan(three);
  const [create] = actions;
  const sql = create?.kind === "CreateQuery" ? create.sql : "";
  const query = { id: 1, name: "Missing email", description: null, sql, activeVersion: 1, subscriptions: [] };
  expect(names(plan(three, { queries: [query] }))).not.toContain("Missing email in orders");
});
