import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plans } from "../../actors/tables.ts";
import { apiKeys } from "../../api-keys/tables.ts";
import { evaluateContract } from "../../data-quality/service/evaluate.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { projects } from "../../projects/tables.ts";
import { anActor, aPlan } from "../../test/factories/actors.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { aFinding } from "../../test/factories/findings.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { aSubscription } from "../../test/factories/subscriptions.ts";
import { callTool, mcpClient, startMcp } from "../../test/mcp-client.ts";
import { model } from "./scripted-model.fixture.ts";
import { tools } from "./tools.ts";

/** Which project a call applies to, and that it stays within it. */
let door: Awaited<ReturnType<typeof startMcp>>;
type World = Awaited<ReturnType<typeof aWorld>>;
let north: World;
let south: World;

async function aWorld(name: string) {
  const project = await aProject({ name });
  const source = await aDataSource({ projectId: project.id, name: `${name} warehouse` });
  const contract = await aContract({
    name: `${name} orders`,
    dataSourceId: source.id,
    tableName: "projects",
  });
  await evaluateContract(await asAdmin(), contract.id);
  const query = await aQuery({ name: `${name} late orders`, dataSource: source });
  await aFinding({ dataSourceId: source.id, statement: `${name} orders come twice` });
  const actor = await anActor({ name: `${name} watch`, dataSourceId: source.id });
  const plan = await aPlan(actor.id);
  const proposer = await anActor({ name: `${name} proposer`, dataSourceId: source.id });
  return { project, source, contract, subscription: await aSubscription({ query }), plan, proposer };
}

beforeAll(async () => {
  door = await startMcp();
  model.replyUsually({ answer: { explanation: "One", dataSourceId: null, sql: "select 1 as one" } });
  north = await aWorld("Northern");
  south = await aWorld("Southern");
});
afterAll(async () => {
  await door.stop();
  await closeSources();
});

const connect = (headers: Record<string, string>) => mcpClient(door.url, headers);
const limitedTo = (...worlds: World[]) =>
  aKey({ allowedProjectIds: worlds.map(({ project }) => project.id) });

/** These calls name no object of one project: what the caller cannot see is just missing from their results. */
const isList = (tool: string, args: object) => Object.keys(args).length === 0 || tool === "search";

/** A call of every tool, on the objects of one world. */
const callsOn = ({ source, contract, subscription, plan, proposer }: World): Record<string, object> => ({
  get_context: {},
  get_documentation: { datasource_name: source.name, table_name: "projects" },
  list_contracts: {},
  get_contract: { contract_id: contract.id },
  list_evaluations: { contract_id: contract.id },
  list_pending_plans: {},
  get_plan: { plan_id: plan.id },
  propose_plan: {
    actor_id: proposer.id,
    analysis: "Orders can come late",
    actions: [{ kind: "CreateQuery", reasoning: "To see them", name: "Late", sql: "select 1 as late" }],
  },
  search: { query: "orders" },
  evaluate_contract: { contract_id: contract.id },
  list_findings: {},
  scan_data_source: {
    datasource_id: source.id,
    tables: [{ schemaName: "public", tableName: "projects" }],
  },
  // A table that names nothing of any project.
  teach: { datasource_id: source.id, schema_name: "drizzle", table_name: "__drizzle_migrations" },
  query: { datasource_name: source.name, sql: "select 1 as one" },
  dry_run: { datasource_id: source.id, sql: "select 1 as one" },
  ask: { datasource_name: source.name, question: "What is one?" },
  list_incidents: {},
  why: { contract_id: contract.id },
  get_lineage: { datasource_id: source.id, schema_name: "drizzle", table_name: "__drizzle_migrations" },
  get_statistics: {},
  list_subscription_health: {},
  get_subscription_detail: { subscription_id: subscription.id },
});

/** Each key proposes; what another has proposed before would still wait for a decision. */
const tryTool: typeof callTool = async (client, name, args) => {
  if (name === "propose_plan")
    await db
      .update(plans)
      .set({ status: "Expired" })
      .where(inArray(plans.actorId, [north.proposer.id, south.proposer.id]));
  return callTool(client, name, args);
};

test("every tool is tried here", () => {
  expect(Object.keys(callsOn(north)).sort()).toEqual(tools.map(({ name }) => name).sort());
});

describe("a key that is limited to one project", () => {
  test("may omit it or specify it", async () => {
    const client = await connect((await limitedTo(south)).headers);
    for (const more of [{}, { project_id: south.project.id }])
      for (const [tool, args] of Object.entries(callsOn(south))) {
        const { isError, text } = await tryTool(client, tool, { ...args, ...more });
        expect.soft([isError, text], tool).toEqual([false, expect.not.stringContaining("Northern")]);
      }
  });

  test("finds nothing of another, whichever it specifies", async () => {
    const client = await connect((await limitedTo(south)).headers);
    for (const [tool, args] of Object.entries(callsOn(north))) {
      const other = await tryTool(client, tool, { ...args, project_id: north.project.id });
      expect.soft(other, tool).toMatchObject({ isError: true, text: "No project found" });
      const own = await tryTool(client, tool, args);
      expect.soft(own.isError, tool).toBe(!isList(tool, args));
      expect.soft(own.text, tool).not.toContain("Northern");
      expect.soft(JSON.stringify(own.structured), tool).not.toContain("Northern");
      if (!isList(tool, args))
        expect
          .soft(own.text, tool)
          .toMatch(/^(AI actor|Data contract|Data source|Plan|Subscription) not found$/);
    }
  });
});

test("a read-only key can call every tool that reads, and has no others", async () => {
  const { headers } = await aKey({ scopes: ["Read"], allowedProjectIds: [north.project.id] });
  const client = await connect(headers);
  const running = [
    ...["ask", "dry_run", "evaluate_contract", "propose_plan", "query", "scan_data_source", "teach"],
  ];
  for (const [tool, args] of Object.entries(callsOn(north))) {
    const called = await tryTool(client, tool, args).then(
      ({ isError, text }) => (isError ? text : "answered"),
      ({ message }: Error) => message,
    );
    expect
      .soft(called, tool)
      .toBe(running.includes(tool) ? `MCP error -32602: Unknown tool: ${tool}` : "answered");
  }
});

test("a key limited to several must specify one; the error lists them, and nothing else", async () => {
  const third = await aWorld("Third");
  const client = await connect((await limitedTo(north, south)).headers);
  for (const [tool, args] of Object.entries(callsOn(north))) {
    const { isError, text } = await tryTool(client, tool, args);
    expect.soft(isError, tool).toBe(true);
    expect
      .soft(text, tool)
      .toBe(
        `Several projects: specify project_id. You can see ${north.project.id} (Northern), ${south.project.id} (Southern).`,
      );
    expect
      .soft(await tryTool(client, tool, { ...args, project_id: third.project.id }), tool)
      .toMatchObject({ isError: true, text: "No project found" });
    expect
      .soft((await tryTool(client, tool, { ...args, project_id: north.project.id })).isError, tool)
      .toBe(false);
  }
});

test("a call for one project only sees that one, although the caller can see others", async () => {
  for (const headers of [
    (await limitedTo(north, south)).headers,
    (await aKey()).headers,
    { cookie: await aSession("Editor") },
  ]) {
    const client = await connect(headers);
    for (const [tool, args] of Object.entries(callsOn(north))) {
      const { text, structured } = await tryTool(client, tool, { ...args, project_id: south.project.id });
      expect.soft(text + JSON.stringify(structured), tool).not.toContain("Northern");
      if (!isList(tool, args)) expect.soft(text, tool).toMatch(/not found$/);
    }
  }
});

test("an unlimited caller must also specify one if there are several", async () => {
  for (const headers of [(await aKey()).headers, { cookie: await aSession("Viewer") }]) {
    const client = await connect(headers);
    expect((await callTool(client, "list_contracts")).text).toContain(`${south.project.id} (Southern)`);
    for (const project_id of [0, -1, 2_000_000_000, Number.MAX_SAFE_INTEGER])
      expect(await callTool(client, "list_contracts", { project_id })).toMatchObject({
        isError: true,
        text: "No project found",
      });
  }
});

describe("No project found", () => {
  const id = () => north.project.id;
  test.each<[string, () => string]>([
    ["SQL null where a list belongs", () => "null"],
    ["JSON null", () => "'null'"],
    ["an empty list", () => "'[]'"],
    ["a string for a number", () => `'["${id()}"]'`],
    ["a string among numbers", () => `'[${id()}, "${id()}"]'`],
    ["a number that is no list", () => `'${id()}'`],
    ["a list in text", () => `'"[${id()}]"'`],
    ["an object like a list", () => `'{"0": ${id()}, "length": 1}'`],
    ["a project that never was", () => "'[2000000000]'"],
  ])("for a restriction that is %s", async (_, stored) => {
    const key = await limitedTo(north);
    await sql.unsafe(`update api_keys set allowed_project_ids = ${stored()}::jsonb where id = ${key.id}`);
    const client = await connect(key.headers);
    for (const [tool, args] of Object.entries(callsOn(north)))
      for (const more of [{}, { project_id: id() }])
        expect
          .soft(await tryTool(client, tool, { ...args, ...more }), tool)
          .toEqual({ isError: true, text: "No project found", structured: {} });
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.readResource({ uri: `svc://project/${id()}/report` })).rejects.toThrow(
      "MCP error -32002: No project found",
    );
  });

  test("for a key whose projects are deleted, even if its list no longer restricts it", async () => {
    const [kept, gone] = [await aProject({ name: "Kept" }), await aProject({ name: "Gone" })];
    const key = await aKey({ allowedProjectIds: [kept.id, gone.id] });
    const client = await connect(key.headers);
    await db.delete(projects).where(eq(projects.id, gone.id));
    expect((await callTool(client, "get_context")).structured.project).toMatchObject({ name: "Kept" });
    await db.delete(projects).where(eq(projects.id, kept.id));
    await db.update(apiKeys).set({ restricted: false }).where(eq(apiKeys.id, key.id));
    for (const tool of ["get_context", "list_contracts"])
      expect(await tryTool(client, tool)).toMatchObject({ isError: true, text: "No project found" });
  });

  test("before any other error of the call", async () => {
    const key = await aKey({ allowedProjectIds: [(await aProject()).id] });
    await db.update(apiKeys).set({ allowedProjectIds: [] }).where(eq(apiKeys.id, key.id));
    const client = await connect(key.headers);
    for (const { name } of tools)
      expect
        .soft(await tryTool(client, name, { nonsense: true }), name)
        .toMatchObject({ text: "No project found" });
  });
});

describe("resources", () => {
  const uri = ({ project }: World, page: string) => `svc://project/${project.id}/${page}`;
  const read = async (client: Awaited<ReturnType<typeof connect>>, at: string) => {
    const [content] = (await client.readResource({ uri: at })).contents;
    expect(content).toMatchObject({ uri: at, mimeType: "text/markdown" });
    return String(content && "text" in content ? content.text : "");
  };

  test("are the pages of every project visible to the caller", async () => {
    const client = await connect((await limitedTo(north, south)).headers);
    const { resources } = await client.listResources();
    const pages = ["documentation", "schema", "quality", "report"];
    expect(resources.map((each) => each.uri)).toEqual(
      [north, south].flatMap((world) => pages.map((page) => uri(world, page))),
    );
    expect(resources[0]?.title).toBe("Northern: Documentation");
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(
      pages.map((page) => `svc://project/{id}/${page}`),
    );
    for (const each of resources) {
      const other = each.title?.startsWith("Northern") ? "Southern" : "Northern";
      expect.soft(await read(client, each.uri), each.uri).not.toContain(other);
    }
  });

  test("contain columns, scores, contracts, and failures", async () => {
    // Early by name: the documentation describes as many of the tables as fit.
    await sql`create table public.aisles (id int, label text)`;
    await sql`insert into aisles values (1, null)`;
    const world = await aWorld("Crates");
    const rules = [
      {
        name: "Label | is there",
        type: "NullRate" as const,
        configuration: { column: "label", maxNullPercent: 10 },
      },
    ];
    const admin = await asAdmin();
    const contract = await aContract({
      name: "Crates",
      dataSourceId: world.source.id,
      tableName: "aisles",
      rules,
    });
    await evaluateContract(admin, contract.id);
    const client = await connect((await limitedTo(world)).headers);
    expect(await read(client, uri(world, "documentation"))).toContain("| `label` | text |  |  |  |");
    expect(await read(client, uri(world, "schema"))).toContain(
      "- `public`.`aisles`: `id` integer, `label` text",
    );
    const quality = await read(client, uri(world, "quality"));
    expect(quality).toContain(
      "average 55.00; 1 of 2 scored tables healthy, 0 degrading; 2 active contracts.",
    );
    expect(quality).toMatch(/\| `public`\.`aisles` \| 10\.00 \| {2}\| Stable \| 20\d\d-.*Z \|/);
    const report = await read(client, uri(world, "report"));
    expect(report).toContain(
      `| Crates (${contract.id}) | Crates warehouse: \`public\`.\`aisles\` | 10.00, stable | 80 |`,
    );
    expect(report.indexOf("Crates (")).toBeLessThan(report.indexOf("Crates orders ("));
    expect(report).toMatch(
      /- Crates \(\d+\): \*\*Label \\\| is there\*\* \(NullRate, Medium\) scored 10; expected .*10.*; found .*100/,
    );
  });

  test("of other projects and unknown ones are not found", async () => {
    const client = await connect((await limitedTo(south)).headers);
    for (const page of ["documentation", "schema", "quality", "report"])
      await expect(read(client, uri(north, page))).rejects.toThrow("MCP error -32002: No project found");
    for (const at of [
      ...[
        "svc://project/1/secrets",
        "svc://project/1/constructor",
        "svc://project/x/report",
        "svc://project/1",
      ],
      ...[
        "svc://project/01/report",
        `${uri(south, "report")}?x=1`,
        "https://example.com/",
        "file:///etc/passwd",
      ],
    ])
      await expect(read(client, at), at).rejects.toThrow("MCP error -32002: Resource not found");
    await expect(read(client, "svc://project/9999999999/report")).rejects.toThrow("No project found");
  });
});
