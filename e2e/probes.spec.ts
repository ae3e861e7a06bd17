import { join } from "node:path";
import { expect, test } from "@playwright/test";
import postgres from "postgres";
import { databaseProxy } from "../server/test/database-proxy.ts";
import { sessionCookie } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { scratch, startService } from "./service.ts";

/** What a platform learns from the real process: while it serves, without its database, and when it stops. */

const ask = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text), headers: response.headers };
};

test("without its database a process is live, and ready only when the database is back", async () => {
  const admin = postgres(process.env.TEST_DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  await admin`drop database if exists probes with (force)`;
  await admin`create database probes`;
  const target = Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ""), { pathname: "/probes" }).href;
  const database = await databaseProxy(target);
  const service = await startService(join(scratch, "unused"), {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: "44".repeat(32),
    NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
  });
  const ready = async () => (await ask(`${service.url}/ready`)).status;

  for (const path of ["/ready", "/svc/api/ready"])
    expect(await ask(service.url + path)).toMatchObject({
      status: 200,
      body: { status: "ready", jobs: "running" },
    });

  const cookie = await sessionCookie(service.url);
  await database.close();
  await expect.poll(ready).toBe(503);
  const { body, headers } = await ask(`${service.url}/ready`);
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(body).toEqual({
    type: "/docs/api#problem-unavailable",
    title: "Not ready",
    status: 503,
    detail: "The database does not respond",
    reason: "database",
    jobs: "running",
  });
  for (const path of ["/health", "/svc/api/health"])
    expect(await ask(service.url + path)).toMatchObject({ status: 200, body: { status: "up" } });

  expect((await fetch(`${service.url}/tasks`, { headers: { cookie } })).status).toBe(500);
  const whyPageFailed = () =>
    service
      .output()
      .split("\n")
      .find((line) => line.includes("A page could not be rendered"));
  await expect.poll(whyPageFailed).toBeDefined();
  const { page, err } = JSON.parse(whyPageFailed() ?? "");
  expect(page).toContain("/tasks");
  // Named by its sources, not by the built files.
  expect(err.stack).toMatch(/ \(?(server|components|app)\/\S+\.tsx?:\d+:\d+/);
  expect(err.stack).not.toMatch(/dist\/|\.next\//);

  await database.open();
  await expect.poll(ready).toBe(200);
  expect(await service.stop()).toBe(0);
  await database.close();
  await admin`drop database probes with (force)`;
  await admin.end();
});

test("a stopping process says so while it still serves, and probes are not rate-limited", async () => {
  const dataDir = join(scratch, "probes");
  await prepareFolder(dataDir);
  const service = await startService(dataDir, { STOP_DELAY_S: "2", RATE_LIMIT_ADDRESS: "1" });
  const [health, ready] = [`${service.url}/health`, `${service.url}/ready`];
  for (let n = 0; n < 5; n += 1)
    expect([(await ask(health)).status, (await ask(ready)).status]).toEqual([200, 200]);

  expect(await ask(ready, { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
  const posted = await ask(ready, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);

  const stopped = service.stop("SIGTERM");
  await expect.poll(async () => (await ask(ready)).status, { intervals: [20] }).toBe(503);
  expect((await ask(ready)).body).toMatchObject({ reason: "stopping" });
  expect((await ask(health)).status).toBe(200);
  expect((await fetch(`${service.url}/openapi/v1.json`)).status).toBe(200);
  expect(await stopped).toBe(0);
});
