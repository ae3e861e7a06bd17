import { join } from "node:path";
import { expect } from "@playwright/test";
import { type Api, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { addressOf, createDatabases, dropDatabases } from "./databases.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** One process answers requests and runs no jobs, another runs them: as the chart for Kubernetes deploys them. */
const dataDir = join(scratch, "workers");
const own = "e2e_workers";
const settings = {
  DATABASE_URL: addressOf(own).href,
  ENCRYPTION_KEY: "55".repeat(32),
  NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
};
test.describe.configure({ mode: "serial" });

let web: Service;
let api: Api;

test.beforeAll(async () => {
  await prepareFolder(dataDir);
  await createDatabases(own);
  web = await startService(dataDir, { ...settings, JOBS: "off" });
  api = await signIn(web.url);
});

test.afterAll(async () => {
  expect(await web?.stop()).toBe(0);
  await dropDatabases(own);
});

const statuses = async () => {
  const { body } = await api("GET", "/jobs");
  return (body as { items: { status: string }[] }).items.map(({ status }) => status);
};

test("what one process is asked for waits until another one runs it", async () => {
  const create = async (path: string, body: object) =>
    ((await api("POST", path, body)).body as { id: number }).id;
  const projectId = await create("/projects", { name: "Shop" });
  const url = addressOf(own);
  const dataSourceId = await create("/data-sources", {
    ...{ projectId, name: "Shop", kind: "PostgreSql" },
    connection: {
      ...{ host: url.hostname, port: Number(url.port), database: own, ssl: false },
      ...{ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    },
  });
  const scanId = await create("/data-quality/findings/scans", { dataSourceId });
  const scan = async () =>
    (await api("GET", `/data-quality/findings/scans/${scanId}`)).body as {
      status: string;
      tablesDone: number;
    };
  expect((await fetch(`${web.url}/ready`)).status).toBe(200);
  // Nobody has begun it.
  expect((await statuses()).filter((status) => status !== "Waiting")).toEqual([]);
  expect(await scan()).toMatchObject({ status: "Running", tablesDone: 0 });

  const worker = await startService(join(scratch, "worker"), settings);
  await expect.poll(scan).toMatchObject({ status: "Completed" });
  expect((await scan()).tablesDone).toBeGreaterThan(0);
  expect(await worker.stop()).toBe(0);
  expect((await api("GET", "/projects")).status).toBe(200);
});
