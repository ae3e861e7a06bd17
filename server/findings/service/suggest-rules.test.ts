import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { evaluateContract } from "../../data-quality/service/evaluate.ts";
import { suggestionLimits } from "../../data-quality/service/suggest-rules.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { asEditor } from "../../test/factories/principals.ts";
import type { Suggestions } from "../suggestion-schema.ts";
import { dismissFinding } from "./decide-findings.ts";
import { findingsOf, rowsOf, scanned } from "./finds-planted-faults.fixture.ts";
import { plantedInStore, store, storeTables } from "./store.fixture.ts";
import { suggestRules } from "./suggest-rules.ts";

/** Suggestions for a store with faults that nothing has scanned, and for a clean one. */

let ctx: SignedIn;
let dataSourceId: number;

beforeAll(async () => {
  ctx = await asEditor();
  dataSourceId = (await aDataSource()).id;
  for (const statement of [...store("clean", false), ...store("faulty", true)]) await sql.unsafe(statement);
}, 180_000);
afterAll(closeSources);

const suggest = (schemaName: string, tableName: string, source = dataSourceId) =>
  suggestRules(ctx, { dataSourceId: source, schemaName, tableName });
const failing = ({ items }: Suggestions) => items.filter(({ passes }) => !passes);

test("of a source that was never scanned, every planted fault is suggested first and fails, and the clean copy has none", async () => {
  const named: (readonly [string, string | undefined, number | undefined])[] = [];
  for (const tableName of storeTables) {
    const suggestions = await suggest("faulty", tableName);
    const first = failing(suggestions);
    expect(suggestions.items.slice(0, first.length)).toEqual(first);
    for (const { rule, finding, evidence } of first) {
      named.push([tableName, finding?.columns.at(-1), finding?.failingRows]);
      expect(evidence).not.toBe("");
      if (finding?.rowsSql)
        expect(await rowsOf({ dataSourceId, rowsSql: finding.rowsSql })).toHaveLength(finding.failingRows);
      expect(rule.enabled).toBe(true);
    }
    if (first.length > 0) {
      const rules = suggestions.items.map(({ rule }) => rule);
      const contract = await aContract({ dataSourceId, schemaName: "faulty", tableName, rules }, ctx);
      const { ruleResults } = await evaluateContract(ctx, contract.id);
      expect(ruleResults.map(({ passed }) => passed)).toEqual(suggestions.items.map(({ passes }) => passes));
    }
    expect(failing(await suggest("clean", tableName))).toEqual([]);
  }
  expect(named.toSorted()).toEqual(plantedInStore.toSorted());
}, 120_000);

test("what holds today neither repeats nor contradicts what is wrong", async () => {
  const inShort = async (schemaName: string, tableName: string) =>
    (await suggest(schemaName, tableName)).items.map(
      ({ rule, passes }) => `${passes ? "holds" : "fails"} ${rule.type} ${rule.column}`,
    );
  const customers = await inShort("faulty", "customers");
  expect(customers).toContain("fails NullRate email");
  // Two of six hundred emails are missing: that so many may be missing is no rule.
  expect(customers).not.toContain("holds NullRate email");
  expect(await inShort("clean", "customers")).toContain("holds NullRate email");
  expect(await inShort("faulty", "products")).not.toContain("holds Range price");
  expect(await inShort("clean", "products")).toContain("holds Range price");
  expect(await inShort("faulty", "orders")).not.toContain("holds Referential customer_id");
});

test("a list of values leaves out those that a finding doubts, and is the rule that fails for them", async () => {
  await sql.unsafe(`
    create table public.shirts (id int primary key, size text not null);
    insert into public.shirts
    select n, case when n = 300 then 'mediun' else (array['small', 'medium', 'large'])[1 + n % 3] end
    from generate_series(1, 600) as n`);
  const { items } = await suggest("public", "shirts");
  const lists = items.filter(({ rule }) => rule.type === "AllowedValues");
  expect(lists).toMatchObject([
    {
      passes: false,
      rule: { column: "size", configuration: { column: "size", values: expect.any(Array) } },
      finding: { kind: "Variant", failingRows: 1 },
    },
  ]);
  const [list] = lists;
  const allowed = list?.rule.configuration.values ?? [];
  expect((allowed as string[]).toSorted()).toEqual(["large", "medium", "small"]);
  // Of 600 rows, each size has 200; row 300 would have been small.
  expect(list?.values?.toSorted((a, b) => (a.value < b.value ? -1 : 1))).toEqual([
    { value: "large", rows: 200, isRare: false },
    { value: "medium", rows: 200, isRare: false },
    { value: "mediun", rows: 1, isRare: true },
    { value: "small", rows: 199, isRare: false },
  ]);
});

test("what was dismissed is not suggested again, and what a scan has found is named by its finding", async () => {
  const { id } = await aDataSource();
  await scanned(
    ctx,
    id,
    ["customers", "orders"].map((tableName) => ({ schemaName: "faulty", tableName })),
  );
  const open = await findingsOf(ctx, { dataSourceId: id, tableName: "customers" });
  const email = open.find(({ columns }) => columns[0] === "email");
  if (!email) throw new Error("The scan did not find the missing emails");
  const ids = failing(await suggest("faulty", "customers", id)).map(({ finding }) => finding?.id);
  expect(ids.toSorted()).toEqual(open.map((each) => each.id).toSorted());
  await dismissFinding(ctx, { id: email.id });
  const after = await suggest("faulty", "customers", id);
  expect(failing(after).map(({ finding }) => finding?.id)).not.toContain(email.id);
  // It is no problem that some are missing, so a share of them is a rule.
  expect(after.items.map(({ rule }) => `${rule.type} ${rule.column}`)).toContain("NullRate email");
});

test("without time nothing is said to be wrong, and the note says why", async () => {
  const { totalMs } = suggestionLimits;
  suggestionLimits.totalMs = 1;
  const { items, note } = await suggest("faulty", "customers").finally(() => {
    suggestionLimits.totalMs = totalMs;
  });
  expect(items).toEqual([]);
  expect(note).toContain("There was no time to look for what is wrong in the table");
});
