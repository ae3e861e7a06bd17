import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource, aProject } from "../../test/factories/data-sources.ts";
import { callTool, mcpClient, startMcp } from "../../test/mcp-client.ts";

/** What is wrong, why, and where it comes from, as an assistant asks. */
let door: Awaited<ReturnType<typeof startMcp>>;
let project: Awaited<ReturnType<typeof aProject>>;
let source: Awaited<ReturnType<typeof aDataSource>>;

beforeAll(async () => {
  door = await startMcp();
  project = await aProject({ name: "Crates" });
  source = await aDataSource({ projectId: project.id, name: "Depot" });
});
afterAll(async () => {
  await door.stop();
  await closeSources();
});

const connect = async (key: Parameters<typeof aKey>[0] = {}) =>
  mcpClient(door.url, (await aKey({ allowedProjectIds: [project.id], ...key })).headers);

test("list_incidents, why, and get_lineage return what is wrong, its causes, and where it comes from", async () => {
  await sql`create table public.crates (id int primary key, weight int, wood text)`;
  await sql`insert into public.crates
    select n, case when n % 20 = 0 then null else n end, case when n % 20 = 0 then 'pine' else 'oak' end
    from generate_series(1, 400) n`;
  const crates = await aContract({
    name: "Crates",
    dataSourceId: source.id,
    tableName: "crates",
    rules: [
      aRule(
        "NullRate",
        { column: "weight", maxNullPercent: 0 },
        { name: "Has a weight", severity: "Critical" },
      ),
    ],
    failureThreshold: 100,
  });
  const client = await connect();
  await callTool(client, "evaluate_contract", { contract_id: crates.id });
  const listed = await callTool(client, "list_incidents", { search: "crates" });
  expect(listed.structured).toMatchObject({
    items: [{ state: "Open", currentCount: 1, tables: [{ schemaName: "public", tableName: "crates" }] }],
    totalCount: 1,
  });
  const [{ id }] = listed.structured.items as [{ id: number }];
  expect(listed.text).toContain(`${id}: Crates: score`);
  const statement = "All failing rows have wood = pine; 5 % of all rows do.";
  const why = await callTool(client, "why", { incident_id: id });
  const [first] = why.structured.causes as object[];
  expect(first).toMatchObject({ id: "C1", kind: "Rows", statement, about: "Has a weight" });
  expect(why.text).toContain(`C1 (0.95) ${statement}`);
  // Who only reads is told the rest, and why not this.
  const reader = await callTool(await connect({ scopes: ["Read"] }), "why", { incident_id: id });
  expect(reader.structured.notes).toEqual([
    "Rows were not read: that needs the role Editor, or the scope Execute",
  ]);
  expect(reader.text).not.toContain("pine");
  const lineage = await callTool(client, "get_lineage", {
    ...{ datasource_id: source.id, schema_name: "public", table_name: "crates" },
  });
  expect(lineage.structured.nodes).toMatchObject([{ name: "public.crates", step: 0, incident: { id } }]);
  expect(lineage.text).toContain(`0 public.crates; incident ${id}: Crates: score`);
});
