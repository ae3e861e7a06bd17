import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { saveTags } from "../../data-sources/service/table-tags.ts";
import { sql } from "../../db/client.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { type Contract, type ContractInput, updateContractInput } from "../schema.ts";
import { createTemplateInput, type TemplateInput, updateTemplateInput } from "../templates/schema.ts";
import { applyTemplates, lookForNewTables } from "./apply-templates.ts";
import { exportContract, importContracts } from "./contract-files.ts";
import { detachRule, leaveOutRule, listContractTemplates, returnRule } from "./contract-templates.ts";
import { listContractVersions } from "./contract-versions.ts";
import {
  archiveContract,
  getContract,
  listContracts,
  restoreContractVersion,
  updateContract,
} from "./contracts.ts";
import { evaluateContract } from "./evaluate.ts";
import {
  createTemplate,
  getTemplate,
  listTemplates,
  previewTemplate,
  removeTemplate,
  updateTemplate,
} from "./templates.ts";

/** Templates on tables of a real PostgreSQL; each test has a project of its own, on the same database. */

let ctx: SignedIn;
let projectId: number;
let dataSourceId: number;

beforeAll(async () => {
  ctx = await asAdmin();
  await sql.unsafe(`
    create schema shop;
    create table shop.orders (id int, customer_id int, song_id int, placed_at timestamptz);
    insert into shop.orders values (1, 1, null, now()), (2, 2, 7, now());
    create table shop."Order ""items""" (id int, "song_ID" int);
    create table shop.customers (id int, name text);
    create view shop.recent_orders as select * from shop.orders;
    create schema "odd%_*";
    create table "odd%_*"."100%_*" (other_id int)`);
});
afterAll(closeSources);

beforeEach(async () => {
  projectId = (await aProject()).id;
  dataSourceId = (await aDataSource({ projectId })).id;
  await refreshSchema(ctx, dataSourceId);
});

const write = (template: Partial<TemplateInput> = {}) => ({
  name: "References are set",
  selector: { schemas: ["shop"], columns: ["*_id"] },
  rule: {
    ...{ name: "{column} is never NULL", type: "NullRate" as const, severity: "High" as const },
    configuration: { maxNullPercent: 0 },
  },
  ...template,
});

/** Created and applied, as the job does. */
async function aTemplate(template: Partial<TemplateInput> = {}) {
  const created = await createTemplate(ctx, createTemplateInput.parse({ projectId, ...write(template) }));
  await applyTemplates({ projectId });
  return getTemplate(ctx, created.id);
}

async function change(id: number, template: Partial<TemplateInput>) {
  await updateTemplate(ctx, updateTemplateInput.parse({ id, ...write(template) }));
  await applyTemplates({ projectId });
}

const anOrdersContract = (contract: Partial<ContractInput> = {}) =>
  aContract({ dataSourceId, schemaName: "shop", ...contract }, ctx);
const ruleNames = async ({ id }: { id: number }) =>
  (await getContract(ctx, id)).rules.map(({ name }) => name);
const asWritten = ({ id, rules, ...contract }: Contract | Awaited<ReturnType<typeof getContract>>) => ({
  ...{ id, name: contract.name, dataSourceId: contract.dataSourceId, schemaName: contract.schemaName },
  ...{ tableName: contract.tableName, cronExpression: contract.cronExpression },
  rules: rules.map(({ id: _, ...rule }) => rule),
});
const save = (contract: ReturnType<typeof asWritten>) =>
  updateContract(ctx, updateContractInput.parse(contract));

const both = ["customer_id is never NULL", "song_id is never NULL"];

describe("a template", () => {
  test("gives the contracts of matching tables its rule, as a version that it is the author of", async () => {
    const orders = await anOrdersContract();
    const customers = await anOrdersContract({ tableName: "customers" });
    const template = await aTemplate();
    expect(template).toMatchObject({ isApplied: true, contractCount: 1, ruleCount: 2, departedCount: 0 });
    expect(await ruleNames(orders)).toEqual([...both, "Volume"]);
    expect(await getContract(ctx, orders.id)).toMatchObject({
      ...{ revision: 2, version: 2 },
      rules: [{ type: "NullRate", column: "customer_id", severity: "High", enabled: true }, {}, {}],
    });
    expect(await getContract(ctx, customers.id)).toMatchObject({ revision: 1, version: 1 });
    const [version] = (await listContractVersions(ctx, { id: orders.id, take: 1 })).items;
    expect(version).toMatchObject({
      number: 2,
      createdBy: { kind: "System", id: null, name: "Rule template “References are set”" },
      changes: both.map((name) => ({ change: "Added", name })),
    });
    const entries = await sql`
      select principal_kind, principal_name, action, detail from audit_log
      where object_kind = 'contract' and object_id = ${orders.id}`;
    expect([...entries]).toEqual([
      {
        principal_kind: "System",
        principal_name: "Rule template “References are set”",
        action: "dataQuality.applyTemplates",
        detail: "Orders: Rule template “References are set”",
      },
    ]);
    // The song that is NULL is found: half of two rows. Both others pass.
    const { ruleResults } = await evaluateContract(ctx, orders.id);
    expect(ruleResults.map(({ ruleName, passed }) => [ruleName, passed])).toEqual([
      [both[0], true],
      [both[1], false],
      ["Volume", true],
    ]);
  });

  test("applied again changes nothing", async () => {
    const orders = await anOrdersContract();
    await aTemplate();
    expect(await applyTemplates({ projectId })).toEqual({ changed: 0, created: 0 });
    expect(await applyTemplates({ dataSourceId })).toEqual({ changed: 0, created: 0 });
    expect(await getContract(ctx, orders.id)).toMatchObject({ revision: 2, version: 2 });
  });

  test("matches names as they are: quotes, upper case, and what is special in patterns of SQL", async () => {
    const items = await anOrdersContract({ tableName: 'Order "items"' });
    const odd = await aContract({ dataSourceId, schemaName: "odd%_*", tableName: "100%_*" }, ctx);
    await aTemplate({ selector: { schemas: ["shop", "odd%_\\*"], columns: ["*_id"] } });
    expect(await ruleNames(items)).toEqual(["song_ID is never NULL", "Volume"]);
    expect(await ruleNames(odd)).toEqual(["other_id is never NULL", "Volume"]);
    expect((await evaluateContract(ctx, items.id)).overallScore).toBe(100);
    expect((await evaluateContract(ctx, odd.id)).overallScore).toBe(100);
  });

  test("of custom SQL names each table", async () => {
    const orders = await anOrdersContract();
    const sqlRule = {
      ...{ name: "{table} has few rows", type: "CustomSql" as const, severity: "Low" as const },
    };
    await aTemplate({
      selector: { tables: ["orders"] },
      rule: { ...sqlRule, configuration: { sql: "select (count(*) < 2)::int as passed from {table}" } },
    });
    expect(await ruleNames(orders)).toEqual(["orders has few rows", "Volume"]);
    const { ruleResults } = await evaluateContract(ctx, orders.id);
    expect(ruleResults[0]).toMatchObject({ couldRun: true, passed: false });
  });

  test("reaches contracts and columns that come later", async () => {
    await aTemplate();
    const orders = await anOrdersContract();
    // With the contract itself, in its first version.
    expect(orders).toMatchObject({ revision: 1, version: 1 });
    expect(await ruleNames(orders)).toEqual([...both, "Volume"]);
    await sql.unsafe("alter table shop.orders add column coupon_id int");
    await refreshSchema(ctx, dataSourceId);
    expect(await applyTemplates({ dataSourceId })).toEqual({ changed: 1, created: 0 });
    expect(await ruleNames(orders)).toEqual([...both, "coupon_id is never NULL", "Volume"]);
    // A column that disappears fails its rule instead of losing it.
    await sql.unsafe("alter table shop.orders drop column coupon_id");
    await refreshSchema(ctx, dataSourceId);
    expect(await applyTemplates({ dataSourceId })).toEqual({ changed: 0, created: 0 });
    expect(await ruleNames(orders)).toContain("coupon_id is never NULL");
  });

  test("that changes, changes its rules everywhere; the others keep their results", async () => {
    const orders = await anOrdersContract();
    const template = await aTemplate();
    const { id: evaluationId } = await evaluateContract(ctx, orders.id);
    const kept = async () =>
      (await sql`select count(*)::int from rule_results where evaluation_id = ${evaluationId}`)[0]?.count;
    const keys = (await getContract(ctx, orders.id)).rules.map(({ key }) => key);
    const { rule } = write();
    // A new name is no new check.
    await change(template.id, { rule: { ...rule, name: "{column} is set" } });
    expect(await ruleNames(orders)).toEqual(["customer_id is set", "song_id is set", "Volume"]);
    expect(await kept()).toBe(3);
    await change(template.id, { rule: { ...rule, configuration: { maxNullPercent: 50 } } });
    expect(await kept()).toBe(1);
    const after = await getContract(ctx, orders.id);
    expect(after.rules.map(({ key }) => key)).toEqual(keys);
    expect(after.rules[0]?.configuration).toEqual({ column: "customer_id", maxNullPercent: 50 });
    await change(template.id, { selector: { schemas: ["shop"], columns: ["customer_id"] } });
    expect(await ruleNames(orders)).toEqual([both[0], "Volume"]);
    await change(template.id, { enabled: false, selector: { schemas: ["shop"], columns: ["customer_id"] } });
    expect((await getContract(ctx, orders.id)).rules.map(({ enabled }) => enabled)).toEqual([false, true]);
  });

  test("that is removed takes its rules along, or leaves them as the contracts' own", async () => {
    const orders = await anOrdersContract();
    const first = await aTemplate();
    await removeTemplate(ctx, { id: first.id, rules: "Keep" });
    await applyTemplates({ projectId });
    expect(await ruleNames(orders)).toEqual([...both, "Volume"]);
    expect((await listContractTemplates(ctx, orders.id)).items).toEqual([]);
    // Rules of the contract's own that check the same become the second one's.
    const second = await aTemplate();
    expect(await ruleNames(orders)).toEqual([...both, "Volume"]);
    await removeTemplate(ctx, { id: second.id, rules: "Remove" });
    await expect(getTemplate(ctx, second.id)).rejects.toMatchObject({ code: "not_found" });
    await applyTemplates({ projectId });
    expect(await ruleNames(orders)).toEqual(["Volume"]);
    expect((await sql`select id from rule_templates where project_id = ${projectId}`).length).toBe(0);
  });

  test("leaves a contract its last rule, as its own", async () => {
    const same = aRule("NullRate", { column: "customer_id", maxNullPercent: 0 }, { severity: "High" });
    const orders = await anOrdersContract({ rules: [same] });
    const selector = { schemas: ["shop"], columns: ["customer_id"] };
    const template = await aTemplate({ selector });
    expect(await ruleNames(orders)).toEqual([both[0]]);
    await change(template.id, { selector: { ...selector, tables: ["!orders"] } });
    expect(await ruleNames(orders)).toEqual([both[0]]);
    expect((await listContractTemplates(ctx, orders.id)).items).toMatchObject([
      {
        departure: "Detached",
        reason: "It was the contract's last rule, and a contract needs one",
        by: null,
      },
    ]);
  });

  test("is refused where it makes no sense", async () => {
    const errorsOf = (template: Partial<TemplateInput>) =>
      createTemplateInput
        .safeParse({ projectId, ...write(template) })
        .error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
    const rule = (type: ContractInput["rules"][number]["type"], configuration: Record<string, unknown>) => ({
      rule: { name: "Rule", type, configuration },
    });
    expect(errorsOf({})).toBeUndefined();
    expect(errorsOf({ selector: {} })).toEqual(["selector.columns needs at least one pattern"]);
    expect(errorsOf(rule("Volume", { minRows: 1 }))).toEqual([
      "selector.columns has no effect on this type of rule unless its SQL has {column}",
    ]);
    expect(errorsOf({ ...rule("CustomSql", { sql: "select {column}" }), selector: {} })).toEqual([
      "selector.columns needs at least one pattern, because the SQL has {column}",
    ]);
    expect(errorsOf({ ...rule("Schema", { columns: [] }), selector: {} })).toContain(
      "rule.type belongs to one table and cannot be a template",
    );
    expect(errorsOf(rule("NullRate", { column: "id", maxNullPercent: 0 }))).toContain(
      "rule.configuration.column is filled in for each match",
    );
    expect(errorsOf(rule("NullRate", { maxNullPercent: 101 }))).toHaveLength(1);
    expect(errorsOf({ selector: { columns: [""] } })).toHaveLength(1);
    const foreign = await aDataSource();
    await expect(
      aTemplate({ selector: { dataSourceIds: [foreign.id], columns: ["*"] } }),
    ).rejects.toMatchObject({
      code: "invalid",
      more: {
        errors: [{ path: "selector.dataSourceIds.0", message: "is not a data source of the project" }],
      },
    });
  });

  test("is changed by one of two who began at the same revision", async () => {
    const { id } = await aTemplate();
    const update = updateTemplateInput.parse({ id, baseRevision: 1, ...write() });
    expect(await updateTemplate(ctx, update)).toMatchObject({ revision: 2, isApplied: false });
    await expect(updateTemplate(ctx, update)).rejects.toMatchObject({ code: "conflict" });
  });

  test("is of a project: others neither see it nor get its rules", async () => {
    const other = await aDataSource();
    await refreshSchema(ctx, other.id);
    const beside = await aContract({ dataSourceId: other.id, schemaName: "shop" }, ctx);
    const { id } = await aTemplate();
    expect(await ruleNames(beside)).toEqual(["Volume"]);
    const stranger = await asAdmin({ projectIds: [other.projectId] });
    expect(await listTemplates(stranger, {})).toEqual({ items: [] });
    await expect(getTemplate(stranger, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(removeTemplate(stranger, { id, rules: "Keep" })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(
      createTemplate(stranger, createTemplateInput.parse({ projectId, ...write() })),
    ).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a contract", () => {
  test("says which of its rules come from where, and leaves one out with a reason", async () => {
    const orders = await anOrdersContract();
    const { id: templateId } = await aTemplate();
    const { items } = await listContractTemplates(ctx, orders.id);
    expect(items).toMatchObject([
      { templateId, templateName: "References are set", column: "customer_id", departure: null },
      { templateId, column: "song_id", ruleName: both[1], departure: null },
    ]);
    const songs = { id: orders.id, templateId, column: "song_id" };
    const reason = "Gift cards have no song";
    const after = await leaveOutRule(ctx, { ...songs, reason });
    expect(after.items[1]).toMatchObject({
      ...{ column: "song_id", ruleName: both[1], departure: "LeftOut", reason },
      by: { id: ctx.principal.userId, name: "The Admin" },
    });
    expect(await ruleNames(orders)).toEqual([both[0], "Volume"]);
    const [version] = (await listContractVersions(ctx, { id: orders.id, take: 1 })).items;
    expect(version).toMatchObject({
      createdBy: { kind: "User", id: ctx.principal.userId },
      changes: [{ change: "Removed", name: both[1] }],
    });
    // It stays out whatever is saved, restored, or applied.
    await save(asWritten(await getContract(ctx, orders.id)));
    await restoreContractVersion(ctx, { id: orders.id, number: 2 });
    await applyTemplates({ projectId });
    expect(await ruleNames(orders)).toEqual([both[0], "Volume"]);
    expect(await getTemplate(ctx, templateId)).toMatchObject({ ruleCount: 1, departedCount: 1 });
    await expect(leaveOutRule(ctx, { ...songs, reason })).rejects.toMatchObject({ code: "conflict" });

    await returnRule(ctx, songs);
    expect(new Set(await ruleNames(orders))).toEqual(new Set([...both, "Volume"]));
    // Under the same key, so that its series continues.
    const rule = (await getContract(ctx, orders.id)).rules.find(({ column }) => column === "song_id");
    expect(rule?.key).toBe(items[1]?.ruleKey);
    await expect(returnRule(ctx, songs)).rejects.toMatchObject({ code: "conflict" });
    await expect(returnRule(ctx, { ...songs, column: "id" })).rejects.toMatchObject({ code: "not_found" });
  });

  test("cannot leave out its only rule", async () => {
    const same = aRule("NullRate", { column: "customer_id", maxNullPercent: 0 }, { severity: "High" });
    const orders = await anOrdersContract({ rules: [same] });
    const { id: templateId } = await aTemplate({ selector: { schemas: ["shop"], columns: ["customer_id"] } });
    const place = { id: orders.id, templateId, column: "customer_id", reason: "No" };
    await expect(leaveOutRule(ctx, place)).rejects.toMatchObject({ code: "rejected" });
  });

  test("detaches a rule, which is its own from then on", async () => {
    const orders = await anOrdersContract();
    const template = await aTemplate();
    const songs = { id: orders.id, templateId: template.id, column: "song_id" };
    await detachRule(ctx, { ...songs, reason: "Half may be missing" });
    const contract = asWritten(await getContract(ctx, orders.id));
    const rules = contract.rules.map((rule) =>
      rule.column === "song_id" ? { ...rule, configuration: { maxNullPercent: 50 } } : rule,
    );
    await save({ ...contract, rules });
    await change(template.id, { rule: { ...write().rule, severity: "Critical" } });
    const after = (await getContract(ctx, orders.id)).rules;
    expect(after.find(({ column }) => column === "customer_id")?.severity).toBe("Critical");
    expect(after.find(({ column }) => column === "song_id")).toMatchObject({
      ...{ severity: "High", configuration: { maxNullPercent: 50 } },
    });
    await returnRule(ctx, songs);
    const back = (await getContract(ctx, orders.id)).rules.find(({ column }) => column === "song_id");
    expect(back).toMatchObject({ severity: "Critical", configuration: { maxNullPercent: 0 } });
  });

  test("cannot change a template's rule, and keeps it when it is left out of what is saved", async () => {
    const orders = await anOrdersContract();
    await aTemplate();
    const contract = asWritten(await getContract(ctx, orders.id));
    for (const edit of [
      { weight: 5 },
      { name: "Mine" },
      { enabled: false },
      { configuration: { maxNullPercent: 9 } },
    ]) {
      const rules = contract.rules.map((rule) => (rule.column === "song_id" ? { ...rule, ...edit } : rule));
      await expect(save({ ...contract, rules })).rejects.toMatchObject({
        code: "invalid",
        more: { errors: [{ path: "rules.1", message: expect.stringContaining("“References are set”") }] },
      });
    }
    const own = contract.rules.filter(({ type }) => type === "Volume");
    const saved = await save({ ...contract, rules: own });
    expect(saved.rules.map(({ key }) => key)).toEqual(contract.rules.map(({ key }) => key));
    expect(saved).toMatchObject({ revision: 3, version: 2 });
    // The order is the contract's.
    const turned = await save({ ...contract, rules: contract.rules.toReversed() });
    expect(turned.rules.map(({ name }) => name)).toEqual(["Volume", ...both.toReversed()]);
  });

  test("that moves to another table has what templates say of that one", async () => {
    const orders = await anOrdersContract();
    await aTemplate();
    const contract = asWritten(await getContract(ctx, orders.id));
    await save({ ...contract, tableName: "customers" });
    expect(await ruleNames(orders)).toEqual(["Volume"]);
    await save({ ...asWritten(await getContract(ctx, orders.id)), tableName: 'Order "items"' });
    expect(await ruleNames(orders)).toEqual(["song_ID is never NULL", "Volume"]);
  });

  test("written to a file and imported again has no rule twice", async () => {
    const orders = await anOrdersContract();
    await aTemplate();
    const yaml = await exportContract(ctx, { id: orders.id, version: "3.1" });
    const { contracts } = await importContracts(ctx, { dataSourceId, yaml });
    const [again] = contracts;
    expect(again?.rules.map(({ name }) => name).toSorted()).toEqual(["Volume", ...both].toSorted());
    expect((await listContractTemplates(ctx, again?.id ?? 0)).items).toMatchObject([
      { column: "customer_id", departure: null },
      { column: "song_id", departure: null },
    ]);
  });
});

test("databases of projects with templates are read again when what is known is a day old", async () => {
  const readAt = async () =>
    (await sql`select read_at from data_source_schemas where data_source_id = ${dataSourceId}`)[0]?.read_at;
  const make = (hours: number) => sql`
    update data_source_schemas set read_at = now() - ${hours} * interval '1 hour'
    where data_source_id = ${dataSourceId}`;
  const unreachable = await aDataSource({ projectId, connection: { port: 1 } });
  await make(25);
  const old = await readAt();
  await lookForNewTables();
  expect(await readAt()).toEqual(old);
  await aTemplate();
  await make(23);
  const recent = await readAt();
  await lookForNewTables();
  expect(await readAt()).toEqual(recent);
  await make(25);
  await lookForNewTables();
  expect(Date.now() - new Date(await readAt()).getTime()).toBeLessThan(60_000);
  expect((await sql`select 1 from data_source_schemas where data_source_id = ${unreachable.id}`).length).toBe(
    0,
  );
});

describe("tables without a contract", () => {
  test("are listed by the preview, with what contracts would get", async () => {
    const orders = await anOrdersContract();
    const preview = await previewTemplate(ctx, createTemplateInput.parse({ projectId, ...write() }));
    const source = { dataSourceId, dataSourceName: "Warehouse", schemaName: "shop" };
    expect(preview).toEqual({
      ruleCount: 2,
      contracts: {
        total: 1,
        items: [
          {
            ...{ ...source, contractId: orders.id, contractName: "Orders", tableName: "orders" },
            ...{ ruleCount: 2, columns: ["customer_id", "song_id"] },
          },
        ],
      },
      withoutContract: {
        total: 2,
        items: [
          {
            ...{ ...source, contractId: null, contractName: null, tableName: 'Order "items"' },
            ...{ ruleCount: 1, columns: ["song_ID"] },
          },
          {
            ...{ ...source, contractId: null, contractName: null, tableName: "recent_orders" },
            ...{ ruleCount: 2, columns: ["customer_id", "song_id"] },
          },
        ],
      },
      newContractCount: 0,
      unread: [],
    });
    // Nothing was stored.
    expect(await ruleNames(orders)).toEqual(["Volume"]);
  });

  test("get one if the template says so, now and later, but not one that was archived", async () => {
    const archived = await anOrdersContract();
    await archiveContract(ctx, archived.id);
    const newContracts = { cronExpression: "30 5 * * *", timezone: "Europe/Berlin" };
    await aTemplate({ newContracts });
    const [created, ...others] = (await listContracts(ctx, { dataSourceId })).items;
    expect(others).toEqual([]);
    expect(created).toMatchObject({
      ...{ name: 'shop.Order "items"', tableName: 'Order "items"', schemaName: "shop", ...newContracts },
      owner: { id: ctx.principal.userId },
      rules: [{ name: "song_ID is never NULL", column: "song_ID" }],
    });
    expect((await listContractVersions(ctx, { id: created?.id ?? 0, take: 1 })).items).toMatchObject([
      { number: 1, createdBy: { kind: "System", name: "Rule template “References are set”" } },
    ]);
    await sql.unsafe("create table shop.returns (order_id int)");
    await refreshSchema(ctx, dataSourceId);
    expect(await applyTemplates({ dataSourceId })).toEqual({ changed: 0, created: 1 });
    expect(await applyTemplates({ dataSourceId })).toEqual({ changed: 0, created: 0 });
    await sql.unsafe("drop table shop.returns");
  });

  /** So many tables in a schema of their own, while the test runs: every other one reads all there is. */
  async function manyTables(count: number) {
    await sql.unsafe("create schema many");
    await sql.unsafe(
      Array.from({ length: count }, (_, n) => `create table many.t${n + 1} (id int, ref_id int)`).join(";"),
    );
    onTestFinished(async () => void (await sql.unsafe("drop schema many cascade")));
    await refreshSchema(ctx, dataSourceId);
    const newContracts = { cronExpression: "30 5 * * *", timezone: "UTC" };
    const selector = { schemas: ["many"], columns: ["ref_id"] };
    return createTemplateInput.parse({ projectId, ...write({ selector, newContracts }) });
  }

  test("a thousand of them are reached, each once, also by two at a time", async () => {
    const template = await manyTables(1000);
    const preview = await previewTemplate(ctx, template);
    expect(preview).toMatchObject({ newContractCount: 1000, withoutContract: { total: 1000 } });
    expect(preview.withoutContract.items).toHaveLength(50);
    const { id } = await createTemplate(ctx, template);
    const counts = await Promise.all([applyTemplates({ projectId }), applyTemplates({ projectId })]);
    expect(counts.reduce((sum, { created }) => sum + created, 0)).toBe(1000);
    expect(await getTemplate(ctx, id)).toMatchObject({
      contractCount: 1000,
      ruleCount: 1000,
      isApplied: true,
    });
  });

  test("a thousand of them may be asked for at once, and not one more", async () => {
    const template = await manyTables(1000);
    expect(await previewTemplate(ctx, template)).toMatchObject({ newContractCount: 1000 });
    const { id } = await createTemplate(ctx, template);
    expect(await getTemplate(ctx, id)).toMatchObject({ isApplied: false });
    await sql.unsafe("create table many.t1001 (ref_id int)");
    const fresh = await aDataSource({ projectId, name: "Twin" });
    await refreshSchema(ctx, fresh.id);
    await expect(createTemplate(ctx, template)).rejects.toMatchObject({ code: "rejected" });
  }, 120_000);
});

describe("a template for a tag", () => {
  const tag = (tableName: string, tags: string[]) =>
    saveTags(ctx, { id: dataSourceId, schemaName: "shop", tableName, tags });
  const selector = { schemas: ["shop"], tags: ["pii"], columns: ["*_id"] };
  const reached = async () => {
    const {
      selector: read,
      rule,
      newContracts,
    } = createTemplateInput.parse({ ...write({ selector }), projectId });
    const preview = await previewTemplate(ctx, { projectId, selector: read, rule, newContracts });
    return preview.withoutContract.items.map(({ tableName }) => tableName);
  };

  test("is for the tables that have it", async () => {
    expect(await reached()).toEqual([]);
    await tag("orders", ["pii", "tier 1"]);
    expect(await reached()).toEqual(["orders"]);
  });

  test("gives a contract its rule once the table has the tag, and takes it back when it has not", async () => {
    const contract = await aContract({ dataSourceId, schemaName: "shop", tableName: "orders" });
    await createTemplate(ctx, createTemplateInput.parse({ ...write({ selector }), projectId }));
    const given = async () => {
      await applyTemplates({ dataSourceId });
      return (await getContract(ctx, contract.id)).rules.flatMap(({ column }) => column ?? []);
    };
    expect(await given()).not.toContain("customer_id");
    await tag("orders", ["pii"]);
    expect(await given()).toEqual(expect.arrayContaining(["customer_id", "song_id"]));
    await tag("orders", []);
    expect(await given()).not.toContain("customer_id");
  });

  test("creates contracts for those tables alone", async () => {
    await tag("orders", ["pii"]);
    const newContracts = { cronExpression: "0 6 * * *" };
    await createTemplate(ctx, createTemplateInput.parse({ ...write({ selector, newContracts }), projectId }));
    expect(await applyTemplates({ projectId })).toEqual({ changed: 0, created: 1 });
    const { items } = await listContracts(ctx, { projectId });
    expect(items.map(({ tableName }) => tableName)).toEqual(["orders"]);
  });
});
