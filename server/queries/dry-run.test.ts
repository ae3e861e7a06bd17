import { afterAll, describe, expect, test } from "vitest";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { createDataSource } from "../data-sources/service/edit-data-sources.ts";
import { problemIn } from "../errors.ts";
import { aDataSource, aProject } from "../test/factories/data-sources.ts";
import { asAdmin, asEditor } from "../test/factories/principals.ts";
import { dryRun, dryRunInput } from "./dry-run.ts";

afterAll(closeSources);

const outcome = async (input: object, projectIds: readonly number[] | null = null) =>
  dryRun(await asEditor({ projectIds }), dryRunInput.parse(input)).catch((error) => problemIn(error));

describe("a dry run", () => {
  test.each([
    ["SqlServer", "exec xp_cmdshell 'dir'"],
    ["SqlServer", "select * into copied from orders"],
    ["MySql", "select * from orders into outfile '/tmp/orders'"],
    ["MySql", "with gone as (select 1) delete from orders"],
    ["PostgreSql", "with gone as (delete from orders returning *) select * from gone"],
  ] as const)("on %s refuses before anything is connected: %s", async (kind, sql) => {
    const source = await aDataSource({ kind, connection: { host: "127.0.0.1", port: 1 } });
    expect(await outcome({ dataSourceId: source.id, sql })).toMatchObject({
      valid: false,
      issues: [{ gate: "read-only" }],
      checkedByEngine: false,
    });
  });

  test("reports problems with the parameters and with the statement together", async () => {
    const { id } = await aDataSource();
    const sql = "delete from orders where id = {{id}}";
    expect(await outcome({ dataSourceId: id, sql })).toMatchObject({
      issues: [{ gate: "parameters", error: "parameters.id is required by the SQL" }, { gate: "read-only" }],
    });
  });

  test("names a function that is not allowed, and passes once it is", async () => {
    const sql = "select pg_advisory_lock(1)";
    const error = "The function pg_advisory_lock is not allowed: an Admin can allow it on the data source";
    expect(await outcome({ dataSourceId: (await aDataSource()).id, sql })).toMatchObject({
      valid: false,
      issues: [{ gate: "read-only", error }],
    });
    const { id } = await aDataSource({ allowedFunctions: ["pg_advisory_lock"] });
    expect(await outcome({ dataSourceId: id, sql })).toMatchObject({ valid: true, issues: [] });
  });

  test("an unreachable data source says nothing about the statement", async () => {
    const { id } = await aDataSource({ connection: { host: "127.0.0.1", port: 1 } });
    expect(await outcome({ dataSourceId: id, sql: "select 1" })).toMatchObject({
      code: "source_unreachable",
    });
  });

  test("requires a data source that runs SQL and that the caller can access", async () => {
    const { id: projectId } = await aProject();
    const api = await createDataSource(await asAdmin(), {
      ...{ projectId, name: "API", kind: "RestApi" },
      connection: { baseUrl: "https://api.example.com/", headers: {} },
    });
    expect(await outcome({ dataSourceId: api.id, sql: "select 1" })).toMatchObject({
      code: "rejected",
      detail: "REST API data sources do not accept SQL",
    });
    expect(await outcome({ sql: "select 1" }, [projectId])).toMatchObject({ code: "not_found" });
    expect(await outcome({ dataSourceId: api.id, sql: "select 1" }, [])).toMatchObject({ code: "not_found" });
  });

  test("without a name uses the only database, ignoring APIs", async () => {
    const { id, projectId } = await aDataSource({ name: "Only" });
    await createDataSource(await asAdmin(), {
      ...{ projectId, name: "API", kind: "RestApi" },
      connection: { baseUrl: "https://api.example.com/", headers: {} },
    });
    expect(await outcome({ sql: "select 1" }, [projectId])).toMatchObject({ valid: true, dataSourceId: id });
    await aDataSource({ projectId, name: "Second" });
    expect(await outcome({ sql: "select 1" }, [projectId])).toMatchObject({
      code: "invalid",
      detail: expect.stringMatching(/^Which data source\? There are Only \(\d+\), Second \(\d+\)/),
    });
    expect(
      await outcome({ sql: "select 1", dataSourceName: "Second", dataSourceId: id }, [projectId]),
    ).toMatchObject({
      code: "not_found",
    });
  });
});
