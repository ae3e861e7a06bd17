import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { appRouter } from "../app-router.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { db } from "../db/client.ts";
import { handleRest } from "../doors/rest/dispatch.ts";
import { withoutSecrets } from "../telemetry/log.ts";
import { captureLog } from "../test/captured-log.ts";
import { rest } from "../test/rest-client.ts";
import {
  caller,
  calls,
  connection,
  headers,
  made,
  preview,
  secrets,
  send,
} from "./every-mutation.fixture.ts";
import { flushKeyReads } from "./service.ts";
import { auditEntries } from "./tables.ts";

const lines = captureLog();

/** The same secrets in calls that fail. */
async function goWrong(): Promise<void> {
  const property = { [secrets.property]: secrets.property };
  const bo = { name: "Bo", email: "bo@example.com", password: secrets.user, role: "Editor" };
  const source = { projectId: made.project, name: "W", kind: "PostgreSql", connection: connection() };
  await send("POST", "/setup", { name: "Eve", email: "eve@example.com", password: secrets.first });
  await send("POST", "/auth/change-password", { current: secrets.first, next: secrets.user });
  await send("POST", "/users", bo);
  await send("POST", "/users", { ...bo, ...property });
  await send("POST", "/users", undefined, { body: `{"password": "${secrets.user}",` });
  await send("POST", "/data-sources", { ...source, ...property });
  await send("POST", "/data-sources", { ...source, projectId: 2_000_000_000 });
  const away = { kind: "PostgreSql", connection: connection({ host: "198.51.100.1.invalid" }) };
  await send("POST", "/data-sources/test-connection", away);
  await send("POST", `/data-sources/${made.lost}/refresh-schema`);
  const api = { baseUrl: "https://198.51.100.1/v1", secretHeaders: { Authorization: secrets.header } };
  await send("POST", "/data-sources", { ...source, kind: "RestApi", connection: api });
  await send("POST", "/data-sources", { ...source, kind: "RestApi", connection: { ...api, ...property } });
  await send("POST", "/data-sources", { ...source, connection: api });
  await send("POST", "/data-sources/test-connection", { kind: "RestApi", connection: api });
  const bucket = {
    ...{ bucket: "exports", endpoint: "https://198.51.100.1", accessKeyId: "reader" },
    ...{ secretAccessKey: secrets.header, sessionToken: secrets.header },
  };
  await send("POST", "/data-sources", { ...source, kind: "Files", connection: bucket });
  await send("POST", "/data-sources", { ...source, kind: "Files", connection: { ...bucket, ...property } });
  await send("POST", "/data-sources/test-connection", { kind: "Files", connection: bucket });
  const project = {
    billingProject: "acme",
    endpoint: "https://198.51.100.1",
    serviceAccountKey: secrets.header,
  };
  await send("POST", "/data-sources", { ...source, kind: "BigQuery", connection: project });
  await preview(made.lost);
  // The server's message repeats the value.
  await preview(made.watched, "integer");
  await rest("GET", "/projects", { headers: { authorization: `Bearer ${caller.rawKey}` } });
  await rest("GET", `/projects?key=${caller.rawKey}`, {
    headers: { authorization: `Bearer ${caller.rawKey}x` },
  });
  await rest("POST", "/projects", {
    headers: { authorization: `Bearer ${caller.rawKey}` },
    json: { name: "By key" },
  });
}

/** The database rejects the rows themselves, and its errors contain their values. */
async function breakTables(): Promise<void> {
  for (const table of ["users", "data_sources", "api_keys", "recipients"])
    await db.execute(sql.raw(`alter table ${table} add constraint is_broken check (false) not valid`));
  const { project: projectId } = made;
  const bodies: [string, object][] = [
    ["/users", { name: "C", email: "c@example.com", password: secrets.user, role: "Viewer" }],
    ["/auth/change-password", { current: secrets.next, next: secrets.first }],
    ["/api-keys", { name: "CI", scopes: ["Read"] }],
    ["/data-sources", { projectId, name: "W", kind: "PostgreSql", connection: connection() }],
    ["/recipients", { projectId, name: "H", type: "Webhook", destination: "https://a.example" }],
  ];
  for (const [path, body] of bodies) {
    const request = new Request(`http://localhost:3000/svc/api${path}`, {
      method: "POST",
      headers: {
        cookie: caller.cookie,
        host: "localhost:3000",
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(body),
    });
    expect((await handleRest(request)).status, path).toBe(500);
  }
}

test("no secret reaches the audit log or the process's log, whatever is called and whatever fails", async () => {
  const mutations = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
  )
    .filter(([, { _def }]) => _def.type === "mutation")
    .map(([name]) => name);
  expect(Object.keys(calls).sort(), "a new mutation needs a call here").toEqual(mutations.sort());

  for (const [name, call] of Object.entries(calls)) {
    const { status } = await call();
    expect([200, 201, 202, 204], name).toContain(status);
    if (name === "dataSources.update") made.lost = made.source ?? 0;
    if (name === "projects.create")
      await rest("GET", "/projects", { headers: { authorization: `Bearer ${caller.rawKey}` } });
  }
  await goWrong();
  await breakTables();
  await flushKeyReads();
  await closeSources();

  const entries = await db.select().from(auditEntries);
  // Each left its entry, and the bugs were logged, so the checks below have something to check.
  const [refused, others] = [true, false].map(
    (isRefused) =>
      new Set(
        entries.map(({ action }) => action).filter((action) => action.startsWith("access.") === isRefused),
      ),
  );
  expect(others).toEqual(new Set([...mutations, "keys.read"]));
  expect(refused).toContain("access.refusedCredential");
  expect(lines.filter((line) => line.includes("A request failed"))).toHaveLength(5);

  expect(caller.rawKey).toMatch(/^sk-svc_.{43}$/);
  const forms = Object.entries({ ...secrets, rawKey: caller.rawKey, tail: caller.rawKey.slice(16) }).flatMap(
    ([name, secret]) =>
      [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString("base64"),
        JSON.stringify(secret).slice(1, -1),
      ].map((form) => [name, form] as const),
  );
  const written = [JSON.stringify(entries), ...lines];
  for (const [name, form] of forms)
    expect(
      written.filter((text) => text.includes(form)),
      `${name}: ${form}`,
    ).toEqual([]);
  expect(written.filter((text) => text.includes("scrypt$"))).toEqual([]);
  expect(entries.find(({ action }) => action === "projects.create")?.detail).toBe(
    withoutSecrets(`Mine ${caller.rawKey}`),
  );
}, 180_000);
