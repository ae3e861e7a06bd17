import { isDeepStrictEqual } from "node:util";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { desc } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { actorActions } from "../../actors/tables.ts";
import { appRouter } from "../../app-router.ts";
import { flushKeyReads } from "../../audit/service.ts";
import { auditEntries, keyReads } from "../../audit/tables.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { problems } from "../../errors.ts";
import { limits as findingLimits } from "../../findings/limits.ts";
import { captureLog } from "../../test/captured-log.ts";
import { anActor, aPlan, toCreate } from "../../test/factories/actors.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { aUser, cookieOf } from "../../test/factories/sessions.ts";
import { anAnomaly, anExecution, aSubscription } from "../../test/factories/subscriptions.ts";
import { callTool, mcpClient, startMcp } from "../../test/mcp-client.ts";
import { rest } from "../../test/rest-client.ts";
import "./scripted-model.fixture.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { describedTool, tools } from "./tools.ts";

/** The tools through the official client and a real HTTP server, as an assistant uses them. */
const lines = captureLog();
let door: Awaited<ReturnType<typeof startMcp>>;
let project: Awaited<ReturnType<typeof aProject>>;
let source: Awaited<ReturnType<typeof aDataSource>>;
let contract: Awaited<ReturnType<typeof aContract>>;

beforeAll(async () => {
  door = await startMcp();
  await sql`create table public.parcels (id int primary key, weight numeric(6, 2), note text)`;
  await sql`comment on column public.parcels.note is ${sql.unsafe("'What | the <b>sender</b> said'")}`;
  await sql`insert into parcels select n, n * 1.25, case n when 1 then 'a|b' end from generate_series(1, 150) n`;
  project = await aProject({ name: "Parcels" });
  source = await aDataSource({ projectId: project.id, name: "Depot" });
  contract = await aContract({
    name: "Parcels: daily",
    dataSourceId: source.id,
    tableName: "parcels",
    rules: [aRule("Volume", { minRows: 1 }), aRule("NullRate", { column: "note", maxNullPercent: 10 })],
  });
});
afterAll(async () => {
  await door.stop();
  await closeSources();
});

const connect = async (key: Parameters<typeof aKey>[0] = {}) =>
  mcpClient(door.url, (await aKey({ allowedProjectIds: [project.id], ...key })).headers);

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).sort();

const reading = [
  ...["get_context", "get_contract", "get_documentation", "get_lineage", "get_plan", "get_statistics"],
  ...["get_subscription_detail", "list_contracts", "list_evaluations", "list_findings", "list_incidents"],
  ...["list_pending_plans", "list_subscription_health", "search", "why"],
];
const running = ["ask", "dry_run", "evaluate_contract", "propose_plan", "query", "scan_data_source"];
/** For Editors and Admins, and for keys with the scope Admin. */
const configuring = ["teach"];

function outputOf(procedure: string) {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { output: z.ZodType } }>;
  return jsonSchemaOf((procedures[procedure] as { _def: { output: z.ZodType } })._def.output, "output");
}

/** Properties that one schema describes and the other lacks or describes differently. */
function besides(told: object, whole: object | undefined, path: string): string[] {
  const { properties = {}, items, ...rest } = told as { properties?: Record<string, object>; items?: object };
  const other = (whole ?? {}) as typeof rest & { properties?: Record<string, object>; items?: object };
  const { properties: otherProperties = {}, items: otherItems, ...otherRest } = other;
  const isSame = whole !== undefined && isDeepStrictEqual(rest, otherRest);
  return [
    ...(isSame ? [] : [path]),
    ...Object.entries(properties).flatMap(([name, each]) =>
      besides(each, otherProperties[name], `${path}.${name}`),
    ),
    ...(items ? besides(items, otherItems, `${path}[]`) : []),
  ];
}

describe("the list", () => {
  test("matches the key's scope", async () => {
    expect(await names(await connect({ scopes: ["Read"] }))).toEqual(reading);
    expect(await names(await connect({ scopes: ["Execute"] }))).toEqual([...reading, ...running].sort());
    expect(await names(await connect({ scopes: ["Admin"] }))).toEqual(
      [...reading, ...running, ...configuring].sort(),
    );
  });

  test("matches the session's role", async () => {
    for (const [role, expected] of [
      ["Viewer", reading],
      ["Editor", [...reading, ...running, ...configuring].sort()],
    ] as const) {
      const cookie = await cookieOf(await aUser(role));
      expect(await names(await mcpClient(door.url, { cookie }))).toEqual(expected);
    }
  });

  test("a tool that is not listed cannot be called, and looks like an unknown one", async () => {
    const client = await connect({ scopes: ["Read"] });
    const refusal = (name: string) =>
      client.callTool({ name, arguments: { sql: "select 1", contract_id: contract.id } }).then(
        () => "called",
        ({ code, message }: { code: number; message: string }) => [code, message.replace(name, "…")],
      );
    for (const name of [...running, ...configuring, "nothing_of_this_name", "__proto__"])
      expect(await refusal(name), name).toEqual([-32602, "MCP error -32602: Unknown tool: …"]);
  });

  test("starts with the tool to call first", async () => {
    const { tools } = await (await connect()).listTools();
    const order = tools.map(({ name }) => name);
    expect(order.slice(0, 5)).toEqual(["get_context", "search", "get_documentation", "dry_run", "query"]);
    expect(order.at(-1)).toBe("ask");
  });

  test("describes each tool completely, in the protocol's terms", async () => {
    const { tools } = await (await connect()).listTools();
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(tool.title, tool.name).toBeTruthy();
      expect(tool.description, tool.name).toBeTruthy();
      // In the protocol, only tools that write have the hint whether they are destructive.
      expect(tool.annotations, tool.name).toEqual(
        ["evaluate_contract", "propose_plan", "scan_data_source", "teach"].includes(tool.name)
          ? { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
          : { readOnlyHint: true, openWorldHint: false },
      );
      expect(tool.inputSchema, tool.name).toMatchObject({
        type: "object",
        additionalProperties: false,
        properties: { project_id: { type: "integer" } },
      });
      expect(Object.keys(tool.inputSchema.properties ?? {}).join()).toMatch(/^[a-z_,]+$/);
      expect(tool.outputSchema, tool.name).toMatchObject({ type: "object" });
    }
    const query = tools.find(({ name }) => name === "query");
    expect(query?.inputSchema).toEqual({
      type: "object",
      properties: {
        datasource_name: { type: "string" },
        datasource_id: { type: "integer" },
        sql: { type: "string" },
        max_rows: { type: "integer", maximum: 1000, default: 100 },
        project_id: expect.anything(),
      },
      required: ["sql"],
      additionalProperties: false,
    });
  });

  test("returns nothing that its procedure does not: each result is a subset of the procedure's output", () => {
    const differences = tools.flatMap(({ name, procedure, answer }) =>
      besides(jsonSchemaOf(answer, "output"), outputOf(procedure), name),
    );
    expect(differences).toEqual([]);
  });

  test("is short: at more than 3.5 characters per token, all of it stays below 5,000 tokens", () => {
    expect(JSON.stringify(tools.map(describedTool)).length / 3.5).toBeLessThan(5_000);
  });
});

describe("each tool", () => {
  test("get_context returns the project, its data sources, and the quality of their tables", async () => {
    const { text, structured } = await callTool(await connect({ scopes: ["Read"] }), "get_context");
    const parcels = { schemaName: "public", tableName: "parcels", kind: "Table", qualityScore: null };
    expect(structured).toMatchObject({
      project: { id: project.id, name: "Parcels" },
      dataSources: [{ id: source.id, name: "Depot", kind: "PostgreSql", unavailable: null }],
    });
    const [{ tables, tableCount }] = structured.dataSources as [{ tables: object[]; tableCount: number }];
    expect(tables).toContainEqual(expect.objectContaining(parcels));
    expect(text).toContain(`Depot (data source ${source.id}, PostgreSql)`);
    // The service's own tables are among them, which are more than the text lists.
    expect(text).toContain(`  - and ${tableCount - 50} more: see get_documentation`);
  });

  test("evaluate_contract measures, and the others return its results", async () => {
    const client = await connect();
    const evaluated = await callTool(client, "evaluate_contract", { contract_id: contract.id });
    // 149 of 150 notes are missing: 100 - (99.333 - 10) = 10.667; two rules of equal weight, one of them with 100.
    expect(evaluated.structured).toMatchObject({ status: "Completed", overallScore: 55.33, failedCount: 1 });
    expect(evaluated.text).toMatch(/failed: NullRate, score 10\.67; expected .*10/);

    const listed = await callTool(client, "list_evaluations", { contract_id: contract.id, take: 1 });
    expect(listed.structured).toEqual({ items: [evaluated.structured] });

    const contracts = await callTool(client, "list_contracts", { datasource_id: source.id });
    expect(contracts.structured.items).toMatchObject([{ id: contract.id, latestScore: 55.33 }]);
    expect(contracts.structured.items).not.toMatchObject([{ rules: expect.anything() }]);
    expect(contracts.text).toContain("Parcels: daily (Depot, public.parcels): score 55.33");

    const one = await callTool(client, "get_contract", { contract_id: contract.id });
    const { body } = await rest("GET", `/data-quality/contracts/${contract.id}`, await aKey());
    const { samples, createdAt, updatedAt, revision, reminderHours, openAlert, measured, ...others } = body;
    const { createTasks, openTaskId, owner, silencedUntil, silencedBy, silenceReason, version, ...same } =
      others;
    const shown = same.rules.map(({ key: _, ...rule }: { key: string }) => rule);
    expect(one.structured).toEqual({ ...same, rules: shown });

    const { text: context, structured } = await callTool(client, "get_context");
    const [{ tables }] = structured.dataSources as [{ tables: object[] }];
    expect(tables).toContainEqual(
      expect.objectContaining({ tableName: "parcels", qualityScore: 55.33, trend: "Stable" }),
    );
    // A table with a score is listed first.
    expect(context).toMatch(/average score 55\.33\n {2}- public\.parcels 55\.33 Stable\n/);
    const { text } = await callTool(client, "get_documentation", { table_name: "parcels" });
    expect(text).toContain("Quality: 55.33, stable.");
  });

  test("scan_data_source finds faults, and list_findings returns those that are open", async () => {
    await sql`create table public.carriers (id int primary key, email text, city text)`;
    // Two of 400 have no address; one city of 400 is spelled unlike the others.
    await sql`insert into carriers select n, case when n in (17, 230) then null else 'c' || n || '@mail.example' end,
      case when n = 90 then 'lisbon' else (array['Lisbon', 'Porto', 'Faro'])[1 + n % 3] end from generate_series(1, 400) n`;
    const client = await connect();
    const tables = ["carriers", "nowhere"].map((tableName) => ({ schemaName: "public", tableName }));
    const scanned = await callTool(client, "scan_data_source", { datasource_id: source.id, tables });
    expect(scanned).toMatchObject({
      isError: false,
      structured: {
        ...{ id: expect.any(Number), status: "Completed", tablesDone: 2, tablesTotal: 2, rowsRead: 400 },
        skipped: [{ schemaName: "public", tableName: "nowhere", reason: expect.any(String) }],
        error: null,
      },
    });
    expect(scanned.text).toMatch(/^Scan \d+ is completed: 2 of 2 tables, 400 rows read\. /);
    expect(scanned.text).toContain("- skipped public.nowhere: There is no such table");

    const reader = await connect({ scopes: ["Read"] });
    const only = { datasource_id: source.id, table_name: "carriers" };
    const { structured, text } = await callTool(reader, "list_findings", only);
    expect(structured).toMatchObject({ totalCount: 2 });
    const found = structured.items as { kind: string; rowsSql: string; failingRows: number }[];
    const missing = found.find(({ kind }) => kind === "MissingValue");
    expect(missing).toMatchObject({ columns: ["email"], failingRows: 2, totalRows: 400, status: "Open" });
    expect(missing).not.toHaveProperty("rule");
    expect(text).toMatch(/^\d+ \(High, \d\d% sure\) public\.carriers: 2 of 400 rows of carriers/m);
    // Its SQL returns these rows.
    const rows = await callTool(client, "query", { sql: missing?.rowsSql, datasource_id: source.id });
    expect(rows.structured.rows).toEqual([
      [17, null, "Faro"],
      [230, null, "Faro"],
    ]);

    const variants = await callTool(reader, "list_findings", { ...only, kind: "Variant", page_size: 1 });
    expect(variants.structured).toMatchObject({ totalCount: 1, items: [{ columns: ["city"] }] });
    const beyond = await callTool(reader, "list_findings", { ...only, page: 3 });
    expect(beyond.text).toBe("There is no page 3: there are 2 findings.");
    const none = await callTool(reader, "list_findings", { ...only, status: "Dismissed" });
    expect(none).toMatchObject({ structured: { items: [], totalCount: 0 } });
    expect(none.text).toMatch(/^No findings\./);
    const wrong = await callTool(reader, "list_findings", { min_confidence: 2 });
    expect([wrong.isError, wrong.text]).toEqual([true, expect.stringContaining("- min_confidence: ")]);
  });

  test("scan_data_source does not keep an assistant waiting, and joins a scan in progress", async () => {
    const usual = findingLimits.waitMs;
    findingLimits.waitMs = 1;
    await sql`create table public.slow as select n as id from generate_series(1, 20) n`;
    // A scan cannot read what someone else has locked.
    const held = await sql.reserve();
    try {
      await held`begin`;
      await held`lock table public.slow`;
      const client = await connect();
      const call = { datasource_id: source.id, tables: [{ schemaName: "public", tableName: "slow" }] };
      const first = await callTool(client, "scan_data_source", call);
      expect(first.structured).toMatchObject({ status: "Running" });
      expect(first.text).toContain("Call scan_data_source again to wait for it.");
      const second = await callTool(client, "scan_data_source", call);
      expect(second.structured.id).toBe(first.structured.id);
      await held`rollback`;
      findingLimits.waitMs = usual;
      const last = await callTool(client, "scan_data_source", call);
      expect(last.structured).toMatchObject({ status: "Completed", rowsRead: 20 });
    } finally {
      findingLimits.waitMs = usual;
      held.release();
    }
  });

  test("teach asks about cells, keeps answers with an entry in the log, and scans judge by them", async () => {
    await sql`create table public.crates (id int primary key, weight text, owner_email text)`;
    // A third of the weights have their unit behind them: too many for a finding.
    await sql`insert into crates select n, case when n % 3 = 0 then n % 40 || '.5 kg' else n % 37 || '.5' end,
      'p' || n || '@crate.example' from generate_series(1, 300) n`;
    const client = await connect({ scopes: ["Admin"] });
    const crates = { datasource_id: source.id, schema_name: "public", table_name: "crates" };
    type Asked = { column: string; cell: string; columns: { name: string }[]; rows: string[][] };
    const askedIn = ({ structured }: Awaited<ReturnType<typeof callTool>>) =>
      structured.question as Asked | null;
    const entries = async () =>
      (await db.select().from(auditEntries)).filter(({ action }) => action === "findings.teachInTurn");

    let turn = await callTool(client, "teach", crates);
    expect(turn.text).toMatch(/^Question 1 of at most 20: is this \w+ right\? id: \d+; weight: /);
    // Addresses are personal data, and a question alone is no change.
    expect(turn.text).not.toContain("@crate.example");
    expect(await entries()).toEqual([]);
    let answered = 0;
    for (let asked = askedIn(turn); asked; asked = askedIn(turn)) {
      const value = asked.rows[0]?.[asked.columns.findIndex(({ name }) => name === asked?.column)];
      const verdict = asked.column === "weight" && value?.includes("kg") ? "Wrong" : "Right";
      const { column, cell } = asked;
      turn = await callTool(client, "teach", { ...crates, answer: { column, cell, verdict } });
      answered++;
      expect(turn.structured.answered).toBe(answered);
    }
    expect(turn.text).toContain("scan_data_source judges the findings of the table by the answers.");
    expect(await entries()).toHaveLength(answered);
    expect((await entries())[0]).toMatchObject({
      ...{ principalKind: "ApiKey", objectKind: "dataSource", objectId: source.id, detail: "public.crates" },
    });

    const tables = [{ schemaName: "public", tableName: "crates" }];
    await callTool(client, "scan_data_source", { datasource_id: source.id, tables });
    const found = await callTool(client, "list_findings", { datasource_id: source.id, table_name: "crates" });
    // Every third of 300.
    expect(found.structured.items).toMatchObject([{ kind: "Format", columns: ["weight"], failingRows: 100 }]);
  });

  test("teach rejects what is no answer, and sees no table of another project", async () => {
    const client = await connect({ scopes: ["Admin"] });
    const parcels = { datasource_id: source.id, schema_name: "public", table_name: "parcels" };
    const answer = { column: "note", cell: "1", verdict: "Right" };
    const wrong = await callTool(client, "teach", { ...parcels, answer });
    expect([wrong.isError, wrong.text]).toEqual([
      true,
      expect.stringContaining("- answer.cell: must be the"),
    ]);
    const elsewhere = await aDataSource({ projectId: (await aProject({ name: "Closed" })).id });
    expect(await callTool(client, "teach", { ...parcels, datasource_id: elsewhere.id })).toMatchObject({
      ...{ isError: true, text: "Data source not found" },
    });
    expect(await callTool(client, "teach", { ...parcels, table_name: "none" })).toMatchObject({
      isError: true,
    });
  });

  test("subscription health: overall, individually, and why", async () => {
    const client = await connect({ scopes: ["Read"] });
    const watched = await aQuery({ name: "Late parcels", dataSource: source });
    const idle = await aQuery({ name: "Lost parcels", dataSource: source });
    const watch = await aSubscription({ query: watched });
    await aSubscription({ query: idle });
    const executedAt = new Date("2020-02-02T02:02:02Z");
    for (const status of ["NoResults", "NoResults", "Failed"] as const)
      await anExecution({ subscriptionId: watch.id, status });
    await anExecution({ subscriptionId: watch.id, status: "Timeout", executedAt, errorMessage: "canceled" });
    await anAnomaly(watch.id, { executionId: await anExecution({ subscriptionId: watch.id }) });

    // 3 of the 4 runs of the last 30 days; what has not run yet is healthy for a day.
    const together = await callTool(client, "get_statistics");
    expect(together.structured).toMatchObject({
      ...{ totalSubscriptions: 2, healthySubscriptions: 1, warningSubscriptions: 1 },
      ...{ criticalSubscriptions: 0, stalledSubscriptions: 0, overallSuccessRate: 75, timeRangeDays: 30 },
    });
    expect(together.text).toBe(
      [
        "2 subscriptions: 1 healthy, 1 warning, 0 critical, 0 stalled.",
        "Of the last 30 days: 75 % of the executions were successful, 1 anomaly.",
        "0 open tasks.",
      ].join("\n"),
    );

    const each = await callTool(client, "list_subscription_health", { sort_by: "Executions" });
    expect(each.structured).toMatchObject({
      totalCount: 2,
      items: [{ subscriptionId: watch.id, status: "Amber", successRate: 75 }, { successRate: null }],
    });
    expect(each.structured).not.toMatchObject({ items: [{ anomaliesByDay: expect.anything() }, {}] });
    expect(each.text).toMatch(/^\d+: Late parcels: Amber, 75 % of 4 runs successful; 1 anomaly; last run /);
    expect(each.text).toMatch(/Lost parcels: Green, not run yet$/);
    const none = await callTool(client, "list_subscription_health", { search_keyword: "%" });
    expect(none).toMatchObject({ text: "No subscriptions match.", structured: { totalCount: 0 } });
    const beyond = await callTool(client, "list_subscription_health", { page: 7 });
    expect(beyond.text).toBe("There is no page 7: there are 2 subscriptions.");

    const why = await callTool(client, "get_subscription_detail", { subscription_id: watch.id });
    expect(why.structured).toMatchObject({ subscriptionId: watch.id, queryName: "Late parcels" });
    expect(why.structured.executions).toHaveLength(5);
    expect(why.text).toContain("- 2020-02-02T02:02:02.000Z: timed out; canceled\nNo open task.\n");
    expect(why.text).toMatch(/High: The row count 200 is above the usual 80 to 120$/);
  });

  test("get_documentation returns columns, and keeps third-party text in its place", async () => {
    const client = await connect({ scopes: ["Read"] });
    const all = await callTool(client, "get_documentation");
    const one = await callTool(client, "get_documentation", {
      datasource_name: "Depot",
      schema_name: "public",
      table_name: "parcels",
    });
    expect(all.text).toContain("### `drizzle`.`__drizzle_migrations`");
    expect(all.text).toContain("`public`.`parcels`");
    expect(one.text).toBe(one.structured.markdown);
    expect(one.text).toContain("| `id` | integer | not null | primary |  |");
    expect(one.text).toContain("What \\| the &lt;b\\>sender&lt;/b\\> said");
    expect(one.text).not.toContain("`users`");
    for (const [args, message] of [
      [{ datasource_name: "Elsewhere" }, "Data source not found"],
      [{ schema_name: "nowhere" }, "Schema not found"],
      [{ schema_name: "public", table_name: "nothing" }, "Table not found"],
    ] as const)
      expect(await callTool(client, "get_documentation", args)).toMatchObject({
        isError: true,
        text: message,
      });
    const byRest = await rest(
      "GET",
      `/data-sources/${source.id}/documentation?tableName=parcels`,
      await aKey(),
    );
    expect(byRest.body.markdown).toContain("| `id` | integer | not null | primary |  |");
    expect(
      (await rest("GET", `/data-sources/${source.id}/documentation?tableName=nothing`, await aKey())).status,
    ).toBe(404);
  });

  test("list_pending_plans and get_plan return actors' plans and the gates' results", async () => {
    const client = await connect({ scopes: ["Read"] });
    expect(await callTool(client, "list_pending_plans")).toMatchObject({
      text: "No plans are pending.",
      structured: { items: [], totalCount: 0 },
    });
    const actor = await anActor({ name: "Depot watch", dataSourceId: source.id });
    const decided = await aPlan(actor.id, { status: "Rejected", decisionReason: "Too much" });
    const former = await aPlan(actor.id);
    const plan = await aPlan(actor.id, { version: 2, keyFindings: ["3 of 40"], userInstruction: "Look" });
    const proposed = toCreate("Late parcels", "delete from parcels");
    const evidence = {
      valid: false,
      issues: [{ gate: "read-only" as const, error: "Only read statements are allowed" }],
      rows: [["private"]],
    };
    await db
      .insert(actorActions)
      .values({ planId: plan.id, index: 0, proposed, facts: {}, hash: "", evidence });

    const listed = await callTool(client, "list_pending_plans", { page_size: 1 });
    const inBrief = {
      ...{ id: plan.id, actorId: actor.id, actorName: "Depot watch", trigger: "InitialSetup", version: 2 },
      ...{ actions: ["CreateQuery: Late parcels"], proposedAt: plan.proposedAt.toISOString() },
    };
    expect(listed.structured).toEqual({ items: [inBrief], page: 0, pageSize: 1, totalCount: 2 });
    expect(listed.text).toMatch(/Depot watch, version 2 .*: CreateQuery: Late parcels\n2 plans in all\.$/);
    const next = await callTool(client, "list_pending_plans", { page_size: 1, page: 1 });
    expect(next.structured.items).toMatchObject([{ id: former.id }]);

    const one = await callTool(client, "get_plan", { plan_id: plan.id });
    expect(one.structured).toMatchObject({
      ...{ id: plan.id, status: "PendingApproval", version: 2, keyFindings: ["3 of 40"] },
      ...{ analysis: "All is well", userInstruction: "Look", proposedAt: plan.proposedAt.toISOString() },
      actions: [{ kind: "CreateQuery", sql: "delete from parcels", status: "Proposed" }],
    });
    const [action] = one.structured.actions as [{ evidence: object }];
    expect(action.evidence).toEqual({ valid: false, issues: evidence.issues });
    expect(one.text).toContain("Evidence: refused; read-only: Only read statements are allowed");
    expect(one.text).toMatch(/Only people can decide on plans, in the browser\.$/);
    const past = await callTool(client, "get_plan", { plan_id: decided.id });
    expect(past.structured).toMatchObject({ status: "Rejected", decisionReason: "Too much" });
  });

  test("a long list is paged", async () => {
    const many = await aProject({ name: "Many" });
    const { id: dataSourceId } = await aDataSource({ projectId: many.id });
    for (let n = 0; n < 102; n++)
      await aContract({ name: `Contract ${n}`, dataSourceId, tableName: "parcels" });
    const client = await connect({ scopes: ["Read"], allowedProjectIds: [many.id] });
    const pages = [];
    for (const page of [undefined, 0, 1, 2]) pages.push(await callTool(client, "list_contracts", { page }));
    const [first, same, second, beyond] = pages;
    expect(same).toEqual(first);
    expect(first?.structured).toMatchObject({ page: 0, pageSize: 100, totalCount: 102 });
    const ids = [first, second]
      .flatMap((each) => each?.structured.items as { id: number }[])
      .map(({ id }) => id);
    expect(new Set(ids).size).toBe(102);
    expect(first?.text).toMatch(/\nPage 0 of 0 to 1: 102 in all\.$/);
    expect(second?.text).toMatch(/\nPage 1 of 0 to 1: 102 in all\.$/);
    expect(beyond?.structured).toMatchObject({ items: [], totalCount: 102 });
    expect(beyond?.text).toContain("There is no page 2: the last one is 1.");
    for (const page of [-1, 0.5, "1", {}])
      expect(await callTool(client, "list_contracts", { page })).toMatchObject({
        isError: true,
        text: "The arguments are not valid\n- page: must be an integer from 0",
      });
  });

  test("search finds tables with their quality, columns, and user-created objects, in pages", async () => {
    const own = await aProject({ name: "Searched" });
    const { id } = await aDataSource({ projectId: own.id, name: "Store" });
    const daily = await aContract({ name: "Parcels: weekly", dataSourceId: id, tableName: "parcels" });
    const client = await connect({ allowedProjectIds: [own.id] });
    await callTool(client, "evaluate_contract", { contract_id: daily.id });
    // Reads the schema.
    await callTool(client, "get_context");
    const { structured, text } = await callTool(client, "search", { query: "parcles" });
    const table = { dataSourceId: id, schemaName: "public", tableName: "parcels", description: null };
    expect(structured).toEqual({
      totalCount: 2,
      items: [
        { ...table, kind: "Table", id: null, name: "parcels", qualityScore: 100 },
        { ...table, kind: "Contract", id: daily.id, name: "Parcels: weekly", qualityScore: null },
      ],
    });
    expect(text).toBe(
      `2 of 2 found.\n- Table \`public\`.\`parcels\`, datasource ${id}; quality 100.00\n- Contract Parcels: weekly (${daily.id})`,
    );
    const second = await callTool(client, "search", { query: "parcels", max_results: 1, offset: 1 });
    expect(second.structured).toMatchObject({ totalCount: 2, items: [{ kind: "Contract" }] });
    expect((await callTool(client, "search", { query: "sender said" })).text).toBe(
      `1 of 1 found.\n- Column \`public\`.\`parcels\`.\`note\`, datasource ${id}: What \\| the &lt;b\\>sender&lt;/b\\> said`,
    );
    for (const args of [{}, { query: " " }, { query: "x", max_results: 51 }, { query: "x", offset: -1 }])
      expect((await callTool(client, "search", args)).isError).toBe(true);
    expect((await callTool(client, "search", { query: "parcels", offset: 9 })).text).toBe(
      "2 found, none from this offset on.",
    );
    expect((await callTool(client, "search", { query: "quux" })).text).toBe("No results.");
  });

  test("a result that would flood a conversation is rejected, with a way to ask for less", async () => {
    const rules = Array.from({ length: 40 }, () => aRule("NullRate", { column: "note", maxNullPercent: 0 }));
    const wide = await aContract({ name: "Wide", dataSourceId: source.id, tableName: "parcels", rules });
    const client = await connect();
    await callTool(client, "evaluate_contract", { contract_id: wide.id });
    await sql`update rule_results set message = repeat('x', 20000) where evaluation_id in (
      select id from evaluations where contract_id = ${wide.id})`;
    expect(await callTool(client, "list_evaluations", { contract_id: wide.id })).toMatchObject({
      isError: true,
      text: "The result is too long for an assistant. Narrow it by take",
    });
  });

  test("query returns rows, and clearly says if there are more", async () => {
    const client = await connect({ scopes: ["Execute"] });
    const select = "select id, weight, note from parcels order by id";
    const cut = await callTool(client, "query", { datasource_name: "Depot", sql: select, max_rows: 2 });
    expect(cut.structured).toMatchObject({
      dataSourceId: source.id,
      columns: [{ name: "id" }, { name: "weight" }, { name: "note" }],
      rows: [
        [1, "1.25", "a|b"],
        [2, "2.50", null],
      ],
      rowCount: 2,
      truncated: true,
    });
    expect(cut.text).toBe(
      "2 rows. Truncated: there are more rows. \nid | weight | note\n1 | 1.25 | a\\|b\n2 | 2.50 | NULL",
    );
    const usual = await callTool(client, "query", { datasource_id: source.id, sql: select });
    expect(usual.structured).toMatchObject({ rowCount: 100, truncated: true });
    const whole = await callTool(client, "query", { sql: select, max_rows: 1000 });
    expect(whole.structured).toMatchObject({ rowCount: 150, truncated: false });
    expect(whole.text).toMatch(/^150 rows\. \nid/);
  });

  test("query stops at 256 kB, whatever its row limit", async () => {
    const sql = "select repeat('x', 10000) from generate_series(1, 1000)";
    const { structured } = await callTool(await connect(), "query", { sql, max_rows: 1000 });
    expect(structured).toMatchObject({ truncated: true });
    expect(JSON.stringify(structured).length).toBeLessThan(300_000);
  });

  test("query and dry_run reject anything that could change data", async () => {
    const client = await connect();
    const attacks = [
      "delete from parcels",
      "select 1; delete from parcels",
      "with gone as (delete from parcels returning *) select * from gone",
      "select * into copied from parcels",
      "commit; drop table parcels",
      "select * from parcels for update",
      "copy parcels to program 'true'",
      "select dblink('', 'delete from parcels')",
      "",
      "select '\u0000'",
    ];
    for (const sql of attacks) {
      expect.soft((await callTool(client, "query", { sql })).isError, sql).toBe(true);
      const checked = await callTool(client, "dry_run", { sql });
      expect.soft(checked.isError || checked.structured.valid === false, sql).toBe(true);
    }
    expect(await sql`select count(*)::int as count from parcels`).toEqual([{ count: 150 }]);
  });

  test("dry_run names the gate that rejects a statement, and runs nothing", async () => {
    const client = await connect();
    const issues = async (args: object) => (await callTool(client, "dry_run", args)).structured;
    expect(
      await issues({ sql: "select id from parcels where weight > {{least}}", parameters: { least: 3 } }),
    ).toEqual({
      ...{ valid: true, issues: [], checkedByEngine: true },
      ...{ dataSourceId: source.id, dataSourceName: "Depot" },
    });
    expect(await issues({ sql: "delete from parcels" })).toMatchObject({
      valid: false,
      issues: [{ gate: "read-only", error: expect.stringContaining("Only read") }],
      checkedByEngine: false,
    });
    expect(await issues({ sql: "select wieght from parcels" })).toMatchObject({
      valid: false,
      issues: [{ gate: "engine", error: expect.stringContaining("wieght") }],
    });
    expect(await issues({ sql: "select {{a}}, '{{b}}'" })).toMatchObject({
      issues: [{ gate: "parameters", error: expect.stringContaining("{{b}}") }],
    });
    expect(await issues({ sql: "select {{a}}", parameters: { b: 1 } })).toMatchObject({
      issues: [
        { gate: "parameters", error: "parameters.a is required by the SQL" },
        { gate: "parameters", error: "parameters.b is not in the SQL" },
      ],
    });
    // It would take a minute.
    expect(await issues({ sql: "select pg_sleep(60)" })).toMatchObject({ valid: true });
  });
});

describe("errors in a call", () => {
  test.each<[string, string, object, string]>([
    ["an argument that is missing", "get_contract", {}, "The arguments are not valid\n- contract_id: "],
    [
      "an unknown argument",
      "get_contract",
      { contract_id: 1, contractId: 1 },
      "- contractId: is not an argument",
    ],
    ["an argument of another type", "query", { sql: "select 1", max_rows: "1e1" }, "- max_rows: "],
    ["too many rows", "query", { sql: "select 1", max_rows: 1001 }, "- max_rows: "],
    ["a project that is no number", "get_context", { project_id: "1" }, "- project_id: must be an integer"],
    ["an id that is not there", "get_contract", { contract_id: 2_000_000_000 }, "Data contract not found"],
    [
      "a data source that is not there",
      "query",
      { datasource_name: "x", sql: "select 1" },
      "Data source not found",
    ],
    ["SQL that the server refuses", "query", { sql: "select nothing" }, 'column "nothing" does not exist'],
  ])("%s is a result that says so", async (_, tool, args, message) => {
    const result = await callTool(await connect(), tool, args);
    expect(result.isError).toBe(true);
    expect(result.text).toContain(message);
  });

  test("null means an omitted argument, as assistants write it", async () => {
    const args = { datasource_id: null, project_id: null };
    expect((await callTool(await connect(), "list_contracts", args)).isError).toBe(false);
  });

  test("several data sources are listed, so that the next call can choose one", async () => {
    const two = await aProject({ name: "Two" });
    for (const name of ["East", "West"]) await aDataSource({ projectId: two.id, name });
    const client = await connect({ allowedProjectIds: [two.id] });
    const { isError, text } = await callTool(client, "query", { sql: "select 1" });
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/^Which data source\? There are East \(\d+\), West \(\d+\)/),
    ]);
    const west = await callTool(client, "query", { sql: "select 1 as one", datasource_name: "West" });
    expect(west.structured).toMatchObject({ dataSourceName: "West", rows: [[1]] });
  });

  test("an unreachable data source only affects tools that need it", async () => {
    const dark = await aProject({ name: "Dark" });
    const connection = { host: "127.0.0.1", port: 1 };
    await aDataSource({ projectId: dark.id, name: "Away", connection });
    await aDataSource({ projectId: dark.id, name: "Here" });
    const client = await connect({ allowedProjectIds: [dark.id] });
    const { structured } = await callTool(client, "get_context");
    expect(structured.dataSources).toMatchObject([
      { name: "Away", unavailable: expect.stringContaining("refused"), tables: [] },
      { name: "Here", unavailable: null },
    ]);
    for (const tool of ["query", "dry_run"])
      expect((await callTool(client, tool, { datasource_name: "Away", sql: "select 1" })).text).toContain(
        "refused",
      );
  });

  test("a bug is reported by request id only, with details in the log", async () => {
    const client = await connect();
    await sql`alter table contracts rename to contracts_away`;
    const { isError, text } = await callTool(client, "list_contracts").finally(
      () => sql`alter table contracts_away rename to contracts`,
    );
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/^Internal error \(request [0-9a-f-]{36}\)$/),
    ]);
    const [, requestId = ""] = /request (.*)\)/.exec(text) ?? [];
    const logged = lines.filter((line) => line.includes(requestId) && line.includes("A tool call failed"));
    expect(logged.join()).toContain("contracts");
  });
});

describe("the same access decision as REST", () => {
  /** The tools whose procedure has a REST path, with arguments that match nothing. */
  const nowhere = 2_000_000_000;
  const pairs: [string, object, "GET" | "POST", string, object?][] = [
    ["list_contracts", {}, "GET", "/data-quality/contracts"],
    ["get_contract", { contract_id: nowhere }, "GET", `/data-quality/contracts/${nowhere}`],
    ["list_evaluations", { contract_id: nowhere }, "GET", `/data-quality/contracts/${nowhere}/evaluations`],
    ["evaluate_contract", { contract_id: nowhere }, "POST", `/data-quality/contracts/${nowhere}/evaluate`],
    ["list_findings", {}, "GET", "/data-quality/findings"],
    [
      "scan_data_source",
      { datasource_id: nowhere },
      "POST",
      "/data-quality/findings/scans",
      { dataSourceId: nowhere },
    ],
    [
      "teach",
      { datasource_id: nowhere, schema_name: "public", table_name: "parcels" },
      "GET",
      `/data-quality/findings/teach?dataSourceId=${nowhere}&schemaName=public&tableName=parcels`,
    ],
    [
      "query",
      { sql: "select 1", datasource_id: nowhere },
      "POST",
      "/queries/preview",
      { sql: "select 1", dataSourceId: nowhere },
    ],
    [
      "dry_run",
      { sql: "select 1", datasource_id: nowhere },
      "POST",
      "/queries/preview",
      { sql: "select 1", dataSourceId: nowhere },
    ],
    [
      "ask",
      { question: "What?", datasource_id: nowhere },
      "POST",
      "/queries/preview",
      { sql: "select 1", dataSourceId: nowhere },
    ],
    ["list_incidents", {}, "GET", "/incidents"],
    ["why", { incident_id: nowhere }, "GET", `/why?incidentId=${nowhere}`],
    [
      "get_lineage",
      { datasource_id: nowhere, schema_name: "public", table_name: "parcels" },
      "GET",
      `/lineage?dataSourceId=${nowhere}&schemaName=public&tableName=parcels`,
    ],
    ["get_documentation", { datasource_name: "Nowhere" }, "GET", `/data-sources/${nowhere}/documentation`],
    ["search", { query: "parcels" }, "GET", "/search?q=parcels"],
    ["get_context", {}, "GET", "/projects"],
    ["list_pending_plans", {}, "GET", "/ai-actors"],
    ["get_plan", { plan_id: nowhere }, "GET", `/ai-actors/plans/${nowhere}`],
    [
      "propose_plan",
      { actor_id: nowhere, analysis: "x", actions: [{ kind: "ArchiveQuery", reasoning: "x", queryId: 1 }] },
      "POST",
      `/ai-actors/${nowhere}/think`,
    ],
    ["get_statistics", {}, "GET", "/control-tower/statistics"],
    ["list_subscription_health", {}, "GET", "/control-tower/health"],
    [
      "get_subscription_detail",
      { subscription_id: nowhere },
      "GET",
      `/control-tower/subscriptions/${nowhere}/detail`,
    ],
  ];

  test("every tool is tried here", () => {
    expect(pairs.map(([tool]) => tool).sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  test.each(pairs)("%s", async (tool, args, method, path, json) => {
    for (const role of ["Viewer", "Editor", "Admin"] as const) {
      const owner = await aUser("Admin");
      for (const scope of ["Read", "Execute", "Admin"] as const) {
        const key = await aKey(
          { scopes: [scope], allowedProjectIds: [project.id] },
          {
            principal: {
              kind: "User",
              userId: owner.id,
              name: "",
              role: "Admin",
              scopes: null,
              projectIds: null,
            },
            requestId: "",
            address: "",
          },
        );
        await sql`update users set role = ${role} where id = ${owner.id}`;
        const { status } = await rest(method, path, { ...key, ...(json && { json }) });
        const client = await mcpClient(door.url, key.headers);
        const isListed = (await names(client)).includes(tool);
        expect.soft(isListed, `${scope} key of ${role}`).toBe(status !== problems.forbidden.status);
        const result = await callTool(client, tool, args).then(
          ({ isError, text }) => (isError ? text : "done"),
          () => "unknown",
        );
        const expected = { 200: /^done$/, 403: /^unknown$/, 404: /not found$/ }[status];
        expect.soft(result, `${scope} key of ${role}`).toMatch(expected ?? /never/);
      }
    }
  });
});

describe("what is stored of a call", () => {
  const newest = async () =>
    (await db.select().from(auditEntries).orderBy(desc(auditEntries.id)).limit(1))[0];

  test("every run of SQL is in the audit log, by its hash", async () => {
    const key = await aKey({ name: "Assistant", allowedProjectIds: [project.id] });
    const client = await mcpClient(door.url, key.headers);
    const by = {
      principalKind: "ApiKey",
      principalId: key.id,
      objectKind: "dataSource",
      objectId: source.id,
    };
    const secret = "select 'private words' as words";
    await callTool(client, "query", { sql: secret });
    expect(await newest()).toMatchObject({
      ...by,
      action: "queries.query",
      detail: expect.stringMatching(/^1 row; SQL of 31 .*SHA-256/),
    });
    await callTool(client, "dry_run", { sql: secret });
    expect(await newest()).toMatchObject({
      ...by,
      action: "queries.dryRun",
      detail: expect.stringMatching(/^Valid; SQL of 31/),
    });
    await callTool(client, "dry_run", { sql: "delete from parcels" });
    expect(await newest()).toMatchObject({
      ...by,
      detail: expect.stringMatching(/^Refused by read-only; SQL/),
    });
    await callTool(client, "query", { sql: "delete from parcels" });
    expect(await newest()).toMatchObject({ ...by, detail: expect.stringMatching(/^Against a rule; SQL/) });
    await callTool(client, "evaluate_contract", { contract_id: contract.id });
    expect(await newest()).toMatchObject({ action: "dataQuality.evaluate", objectId: contract.id });
    expect(JSON.stringify(await db.select().from(auditEntries))).not.toContain("private words");
  });

  test("a key's reads are counted, its last use is recorded, and it never appears in the log", async () => {
    const key = await aKey({ scopes: ["Read"], allowedProjectIds: [project.id] });
    const client = await mcpClient(door.url, key.headers);
    await callTool(client, "get_context");
    await callTool(client, "list_contracts");
    await client.listResources();
    await client.readResource({ uri: `svc://project/${project.id}/report` });
    await flushKeyReads();
    const counted = (await db.select().from(keyReads)).filter(({ keyId }) => keyId === key.id);
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    const { body } = await rest("GET", "/api-keys", await aKey());
    const listed = body.items.find(({ id }: { id: number }) => id === key.id);
    expect(Date.now() - Date.parse(listed.lastUsedAt)).toBeLessThan(60_000);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toContain(key.rawKey.slice("sk-svc_".length, 30));
  });
});
