import { expect, test } from "vitest";
import { postgresql } from "../../data-sources/dialects/postgresql.ts";
import type { RuleWrite } from "../rule-schema.ts";
import { matcherOf, rulesGiven, type Selector } from "./matches.ts";
import { type Link, mergeRules } from "./merge-rules.ts";
import type { TemplateRule } from "./rule-for.ts";

const never: TemplateRule = {
  ...{ name: "{column} is never NULL", type: "NullRate", severity: "High", weight: 2 },
  configuration: { maxNullPercent: 0 },
};

const aTemplate = (
  selector: Partial<Selector>,
  rule: TemplateRule = never,
  id = 1,
  tags: readonly string[] = [],
) => ({
  ...{ id, rule, enabled: true },
  matcher: matcherOf({ dataSourceIds: [], schemas: [], tables: [], columns: [], ...selector }, () => tags),
});
const orders = { dataSourceId: 7, schemaName: "shop", tableName: "orders" };

const own = (key: string, name = key): RuleWrite => ({
  ...{ key, name, type: "Volume", column: null, severity: "Medium", weight: 1, enabled: true },
  configuration: { minRows: 1 },
});
const nullRate = (key: string, column: string, more: Partial<RuleWrite> = {}): RuleWrite => ({
  ...{ key, name: `${column} is never NULL`, type: "NullRate", column, severity: "High", weight: 2 },
  ...{ enabled: true, configuration: { column, maxNullPercent: 0 }, ...more },
});
const link = (key: string, column: string | null, more: Partial<Link> = {}): Link => ({
  ...{ templateId: 1, key, column, departure: null },
  ...more,
});

const given = (columns: readonly string[], selector: Partial<Selector> = { columns: ["*_id"] }) =>
  rulesGiven([aTemplate(selector)], { table: orders, columns }, postgresql);

test("a rule for each column that matches, with its name filled in", () => {
  expect(given(["id", "customer_id", 'odd "x"_id', "{table}_id"])).toEqual([
    { templateId: 1, column: "customer_id", rule: { ...nullRate("", "customer_id"), key: undefined } },
    { templateId: 1, column: 'odd "x"_id', rule: { ...nullRate("", 'odd "x"_id'), key: undefined } },
    { templateId: 1, column: "{table}_id", rule: { ...nullRate("", "{table}_id"), key: undefined } },
  ]);
});

test("SQL names the table and the column quoted, and only SQL is filled in", () => {
  const rule: TemplateRule = {
    ...{ name: "{schema}.{table}", type: "CustomSql", severity: "Low", weight: 1 },
    configuration: { sql: "select count(*) = 0 as passed from {table} where {column} < 0 and {other}" },
  };
  const [each] = rulesGiven(
    [aTemplate({ columns: ["*"] }, rule)],
    { table: { ...orders, tableName: 'or"ders' }, columns: ['a"b'] },
    postgresql,
  );
  expect(each?.rule).toMatchObject({
    name: 'shop.or"ders',
    column: null,
    configuration: {
      sql: 'select count(*) = 0 as passed from "shop"."or""ders" where "a""b" < 0 and {other}',
    },
  });
});

test("a name that grows too long is clipped at a whole character", () => {
  const rule = { ...never, name: `${"🙂".repeat(90)}{column}` };
  const column = "🙂".repeat(60);
  const [each] = rulesGiven(
    [aTemplate({ columns: ["*"] }, rule)],
    { table: orders, columns: [column] },
    postgresql,
  );
  expect(each?.rule.name).toBe(`${"🙂".repeat(99)}…`);
});

test("other data sources, schemas, and tables get nothing", () => {
  const all = { columns: ["*"] };
  expect(given(["a"], { ...all, dataSourceIds: [7] })).toHaveLength(1);
  expect(given(["a"], { ...all, dataSourceIds: [8] })).toEqual([]);
  expect(given(["a"], { ...all, schemas: ["SHOP"] })).toHaveLength(1);
  expect(given(["a"], { ...all, schemas: ["public"] })).toEqual([]);
  expect(given(["a"], { ...all, tables: ["order?"] })).toHaveLength(1);
  expect(given(["a"], { ...all, tables: ["!orders"] })).toEqual([]);
});

test("new rules come first, and the contract's own stay as they are", () => {
  const merged = mergeRules([own("a"), own("b")], [], given(["customer_id", "song_id"]));
  expect(merged.rules).toMatchObject([
    { column: "customer_id" },
    { column: "song_id" },
    { key: "a" },
    { key: "b" },
  ]);
  expect(merged.links.map(({ key }) => key)).toEqual(merged.rules.slice(0, 2).map(({ key }) => key));
  // A second time, nothing differs.
  expect(mergeRules(merged.rules, merged.links, given(["customer_id", "song_id"]))).toEqual({
    rules: merged.rules,
    links: [],
  });
});

test("a rule left out of a list that is saved comes back under its key", () => {
  const merged = mergeRules([own("a")], [link("k", "customer_id")], given(["customer_id"]));
  expect(merged).toEqual({ rules: [nullRate("k", "customer_id"), own("a")], links: [] });
});

test("a rule follows the template, and goes when nothing gives it any more", () => {
  const links = [link("k", "customer_id")];
  const stored = [nullRate("k", "customer_id", { severity: "Low" }), own("a")];
  expect(mergeRules(stored, links, given(["customer_id"])).rules).toEqual([
    nullRate("k", "customer_id"),
    own("a"),
  ]);
  expect(mergeRules(stored, links, [])).toEqual({ rules: [own("a")], links: [] });
});

test("the last rule stays, as the contract's own", () => {
  const rule = nullRate("k", "customer_id");
  expect(mergeRules([rule], [link("k", "customer_id")], [])).toEqual({
    rules: [rule],
    links: [link("k", "customer_id", { departure: "Detached" })],
  });
});

test("a rule that is left out or detached is not given again", () => {
  const leftOut = [link("k", "customer_id", { departure: "LeftOut" })];
  expect(mergeRules([nullRate("k", "customer_id"), own("a")], leftOut, given(["customer_id"]))).toEqual({
    rules: [own("a")],
    links: [],
  });
  const detached = [link("k", "customer_id", { departure: "Detached" })];
  const changed = nullRate("k", "customer_id", { severity: "Low" });
  expect(mergeRules([changed], detached, given(["customer_id"]))).toEqual({ rules: [changed], links: [] });
  expect(mergeRules([own("a")], detached, given(["customer_id"]))).toEqual({ rules: [own("a")], links: [] });
});

test("a rule of the contract's own that checks the same becomes the template's, but not one that counts differently", () => {
  const same = nullRate("mine", "customer_id", { name: "Customers are known" });
  expect(mergeRules([own("a"), same], [], given(["customer_id"]))).toEqual({
    rules: [own("a"), nullRate("mine", "customer_id")],
    links: [link("mine", "customer_id")],
  });
  const lighter = nullRate("mine", "customer_id", { weight: 1 });
  expect(mergeRules([lighter], [], given(["customer_id"])).rules).toHaveLength(2);
});

test("a contract takes no more than 200 rules", () => {
  const full = Array.from({ length: 199 }, (_, index) => own(`${index}`));
  expect(mergeRules(full, [], given(["a_id", "b_id"])).rules).toHaveLength(200);
});

test("a column that has disappeared keeps its rule while the patterns match it", () => {
  const kept = [{ templateId: 1, column: "gone_id" }];
  const columns = (selector: Partial<Selector>) =>
    rulesGiven([aTemplate(selector)], { table: orders, columns: ["customer_id"] }, postgresql, kept).map(
      ({ column }) => column,
    );
  expect(columns({ columns: ["*_id"] })).toEqual(["customer_id", "gone_id"]);
  expect(columns({ columns: ["*_id", "!gone*"] })).toEqual(["customer_id"]);
});

test.each([
  [[], [], true],
  [[], ["pii"], true],
  [["pii"], [], false],
  [["pii"], ["tier 1", "PII"], true],
  [["tier*"], ["tier 1"], true],
  [["tier*"], ["frontier"], false],
  [["!old"], [], true],
  [["!old"], ["pii", "old"], false],
  [["pii", "!old"], ["pii"], true],
  [["pii", "!old"], ["pii", "old"], false],
  [["pii", "!old"], ["tier 1"], false],
])("a template for tags %j and a table with tags %j: %s", (wanted, tags, isGiven) => {
  const template = aTemplate({ columns: ["*_id"], tags: wanted }, never, 1, tags);
  expect(rulesGiven([template], { table: orders, columns: ["customer_id"] }, postgresql)).toHaveLength(
    isGiven ? 1 : 0,
  );
});
