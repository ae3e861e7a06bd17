import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { aBigQuery, keyFile, rowsOf } from "../../data-sources/engines/bigquery/stand-in.fixture.ts";
import { createDataSourceInput, updateDataSourceInput } from "../../data-sources/schema.ts";
import { closeSources, useDatabase } from "../../data-sources/service/connected-sources.ts";
import { getSourceCost } from "../../data-sources/service/costs.ts";
import { createDataSource, updateDataSource } from "../../data-sources/service/edit-data-sources.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aProject } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { getContractCost } from "./contract-cost.ts";
import { evaluateContract } from "./evaluate.ts";

/** A data source of kind BigQuery as it is stored, and what it costs, with the API at the wire. */

let admin: SignedIn;
let api: Awaited<ReturnType<typeof aBigQuery>>;

beforeAll(async () => {
  env().OUTBOUND_ALLOW = "127.0.0.1";
  admin = await asAdmin();
  // Five, under the name that the statement has for it.
  let name = "";
  api = await aBigQuery({
    insert: ({ body }) => {
      name = / as `(\w+)`/.exec(String(body.configuration?.query?.query))?.[1] ?? "n";
      return { body: {} };
    },
    page: () => ({
      body: {
        ...{ jobComplete: true, totalRows: "1", rows: rowsOf(["5"]) },
        schema: { fields: [{ name, type: "INTEGER", mode: "NULLABLE" }] },
      },
    }),
  });
});
afterAll(async () => {
  await closeSources();
  await api.close();
  env().OUTBOUND_ALLOW = undefined;
});

async function aSource(more: object = {}) {
  const projectId = (await aProject()).id;
  const given = { projectId, name: "Sales", kind: "BigQuery", connection: api.connection, ...more };
  return createDataSource(admin, createDataSourceInput.parse(given));
}

test("its key is stored encrypted and never shown, and stays while the endpoint does", async () => {
  const { id } = await aSource();
  const shown = await getDataSource(admin, id);
  const { serviceAccountKey, ...connection } = api.connection;
  expect(shown.connection).toEqual(connection);
  expect(shown.hasPassword).toBe(true);
  expect(JSON.stringify(shown)).not.toContain("PRIVATE KEY");
  const [row] = await db.select().from(dataSources).where(eq(dataSources.id, id));
  expect(JSON.stringify(row?.connection)).not.toContain("PRIVATE KEY");
  expect(row?.secret?.toString("latin1")).not.toContain("PRIVATE KEY");

  const update = (changes: object) =>
    updateDataSource(
      admin,
      updateDataSourceInput.parse({ id, name: "Sales", connection: { ...connection, ...changes } }),
    );
  await update({ location: "EU" });
  await useDatabase(id, (_, source) =>
    source.session((session) =>
      session.read({ sql: "select 5 as r", parameters: [] }, { timeoutMs: 5000, maxRows: 1, maxBytes: 1000 }),
    ),
  );
  await expect(update({ endpoint: "https://bigquery.example.com" })).rejects.toMatchObject({
    code: "invalid",
    message: "connection.serviceAccountKey is required when the endpoint changes",
  });
  await update({ endpoint: "https://bigquery.example.com", serviceAccountKey });
});

test("what is no key is rejected, and so is a connection of another kind", async () => {
  const reject = (connection: object, kind = "BigQuery") =>
    createDataSourceInput.safeParse({ projectId: 1, name: "Sales", kind, connection }).success;
  expect(reject({ ...api.connection, serviceAccountKey: "hunter2" })).toBe(false);
  expect(reject({ ...api.connection, serviceAccountKey: keyFile({ type: "authorized_user" }) })).toBe(false);
  expect(reject({ ...api.connection, serviceAccountKey: "{{vault:kv/google#key}}" })).toBe(true);
  expect(reject({ ...api.connection, billingProject: "../../other" })).toBe(false);
  expect(reject({ ...api.connection, maxBytesBilled: 0 })).toBe(false);
  expect(reject(api.connection, "PostgreSql")).toBe(false);
  expect(reject({ folder: "/data" })).toBe(false);
});

test("what a contract bills is counted, and a budget that is spent stops it with a reason", async () => {
  // Each statement bills 10,485,760 bytes.
  const { id } = await aSource({ dailyBudget: 15_000_000 });
  const contract = await aContract({
    ...{ dataSourceId: id, schemaName: "shop", tableName: "orders" },
    rules: [aRule("Volume", { minRows: 5 })],
  });
  const first = await evaluateContract(admin, contract.id);
  expect(first).toMatchObject({
    overallScore: 100,
    cost: { unit: "bytes", amount: 10_485_760, statements: 1 },
  });
  const afterOne = await getContractCost(admin, contract.id);
  expect(JSON.stringify(afterOne)).toContain("10485760");
  // What is left is less than the statement bills; the server would refuse it, and this stand-in does not.
  await evaluateContract(admin, contract.id);
  expect(JSON.stringify(await getSourceCost(admin, id))).toContain("20971520");
  const started = api.started().length;
  const limits = { timeoutMs: 5000, maxRows: 1, maxBytes: 1000 };
  await expect(
    useDatabase(id, (_, source) =>
      source.session((session) => session.read({ sql: "select 1", parameters: [] }, limits)),
    ),
  ).rejects.toThrow(/budget/i);
  // Refused statements cost nothing.
  expect(await evaluateContract(admin, contract.id)).toMatchObject({ couldNotEvaluate: true, cost: null });
  expect(api.started()).toHaveLength(started);
});
