import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, type TestContext, test } from "vitest";
import { isSourceError } from "../data-sources/engines/engine.ts";
import { getEngine } from "../data-sources/engines/engines.ts";
import { allowedFolder } from "../data-sources/engines/files/allowed-folder.ts";
import { requireReadOnly as mysqlGate } from "../data-sources/engines/mysql/gate.ts";
import { requireReadOnly as postgresqlGate } from "../data-sources/engines/postgresql/gate.ts";
import { sql } from "../db/client.ts";
import { allowedBy } from "../outbound/addresses.ts";
import { OutboundRefusal, sendOutbound } from "../outbound/request.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aProject, ownConnection } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { anHttpReceiver } from "../test/http-receiver.ts";
import { rest } from "../test/rest-client.ts";
import { routes } from "./rest/routes.ts";

/**
 * Attacks that are made up from parts, the same ones in every run: what is refused must be refused in all of their forms.
 * `npm run test:attacks` runs them with the other tests of the kind.
 */

/** Numbers that look random and are the same every time: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
const pick = <T>(from: readonly T[], next: () => number): T => from[Math.floor(next() * from.length)] as T;

/** Said at the end of the run, and counted by `npm run test:attacks`. */
const count = ({ task }: TestContext, category: string, attempts: number) => {
  (task.meta as { summary?: string }).summary = `Attacks: ${category}: ${attempts}`;
};

let cookie = "";
let projectId = 0;
beforeAll(async () => {
  cookie = await cookieOf(await aUser("Admin"));
  projectId = (await aProject()).id;
});

test("SQL of pieces that write: whatever passes the gate changes nothing on the server", async (context) => {
  await sql.unsafe("create table canary (n int); insert into canary values (1), (2)");
  await sql.unsafe(
    "create function touch() returns int language sql as 'insert into canary values (9) returning n'",
  );
  const pieces = [
    ..."select|with a as (|)|delete from canary|insert into canary values (3)|update canary set n = 9|drop table canary".split(
      "|",
    ),
    ..."truncate canary|touch()|1|*|from canary|;|--|/*|*/|\n|'|$$|\"|$q$|E'\\''|as a|returning n|into t|union all".split(
      "|",
    ),
    ..."(|copy canary to program 'true'|commit|begin|set transaction read write|do $$ begin delete from canary; end $$".split(
      "|",
    ),
    ..."explain analyze|call|execute|prepare p as|lock table canary|for update|lateral|,|where|true|nextval('s')|\u00a0|\u0000|\\;".split(
      "|",
    ),
  ];
  const next = random(1);
  const engine = getEngine("PostgreSql").open(ownConnection());
  const attempts = 4000;
  let passed = 0;
  try {
    for (let n = 0; n < attempts; n++) {
      const length = 2 + Math.floor(next() * 7);
      const statement = Array.from({ length }, () => pick(pieces, next)).join(next() < 0.9 ? " " : "");
      try {
        mysqlGate(statement);
      } catch (error) {
        expect(isSourceError(error), statement).toBe(true);
      }
      try {
        postgresqlGate(statement);
      } catch (error) {
        expect(isSourceError(error), statement).toBe(true);
        continue;
      }
      passed += 1;
      const limits = { timeoutMs: 2000, maxRows: 10, maxBytes: 10_000 };
      await engine
        .session((session) => session.read({ sql: statement, parameters: [] }, limits))
        .catch((error) => expect(isSourceError(error), `${statement}: ${error}`).toBe(true));
    }
  } finally {
    await engine.close();
  }
  expect(await sql`select n from canary order by n`).toEqual([{ n: 1 }, { n: 2 }]);
  // Some got as far as the server, so that the transaction was tried, too.
  expect(passed).toBeGreaterThan(50);
  count(context, "SQL", attempts);
}, 240_000);

const hostile = [
  ..."-1|0|1e9|1e3|NaN|99999999999999999999|%00|%2e%2e%2f|..|__proto__|' or 1=1 --|null|true|[]|{}|\ud800|<script>|".split(
    "|",
  ),
  "x".repeat(5000),
];
const hostileValues: unknown[] = [
  ...[
    null,
    true,
    -1,
    0,
    1e9,
    1.5,
    1e308,
    "",
    "\u0000",
    "\ud800",
    "' or 1=1 --",
    "../../etc/passwd",
    "x".repeat(5000),
  ],
  ...[[], {}, [[]], { $ne: 1 }, ["__proto__"], JSON.parse('{"__proto__":{"role":"Admin"}}')],
];

test("hostile ids, queries, and bodies on every route: refused or harmless, and never an error of ours", async (context) => {
  const next = random(2);
  let attempts = 0;
  const wrong: string[] = [];
  for (const route of routes.filter(({ permission }) => permission !== "anonymous"))
    for (let n = 0; n < 4; n++) {
      const path = route.path.replace(/\{\w+\}/g, () =>
        encodeURIComponent(pick(hostile, next).toWellFormed()),
      );
      const names = Object.keys(route.shape).filter((name) => !route.pathParameters.includes(name));
      const isRead = route.method === "GET" || route.method === "DELETE";
      const query = isRead
        ? `?${names.map((name) => `${name}=${encodeURIComponent(pick(hostile, next).toWellFormed())}`).join("&")}`
        : "";
      const body = Object.fromEntries(
        [...names, "__proto__", "id"].map((name) => [name, pick(hostileValues, next)]),
      );
      attempts += 1;
      const { status, body: answer } = await rest(route.method, path + query, {
        ...{ cookie, mayBreak: true },
        ...(!isRead && { json: body }),
      });
      const text = JSON.stringify(answer ?? "");
      if (status >= 500 || /node_modules|at \w+ \(|select .* from/i.test(text))
        wrong.push(`${route.method} ${path}${query}: ${status} ${text.slice(0, 200)}`);
    }
  expect(wrong).toEqual([]);
  expect(({} as { role?: string }).role).toBeUndefined();
  count(context, "REST inputs", attempts);
}, 240_000);

test("a key that differs in anything is refused, with the same response", async (context) => {
  const { headers } = await aKey({}, await asAdmin());
  const valid = headers.authorization?.replace("Bearer ", "") ?? "";
  expect((await rest("GET", "/projects", { headers })).status).toBe(200);
  const next = random(3);
  const bodies = new Set<string>();
  const attempts = 300;
  for (let n = 0; n < attempts; n++) {
    const at = 7 + Math.floor(next() * (valid.length - 7));
    const key = pick(
      [
        valid.slice(0, at),
        `${valid.slice(0, at)}${valid[at] === "A" ? "B" : "A"}${valid.slice(at + 1)}`,
        `${valid}${pick(["A", "=", "%00", "."], next)}`,
        valid.slice(0, at) + valid.slice(at + 1),
        `sk-svc_${valid.slice(7).toUpperCase()}`,
        `sk-svc_${valid.slice(7).split("").reverse().join("")}`,
        `sk-svc_${"%".repeat(at)}`,
      ],
      next,
    );
    const { status, body } = await rest("GET", "/projects", { headers: { authorization: `Bearer ${key}` } });
    expect(status, key).toBe(401);
    const { requestId: _, instance: __, ...same } = body;
    bodies.add(JSON.stringify(same));
  }
  expect(bodies.size).toBe(1);
  count(context, "sign-in", attempts);
}, 120_000);

test("private addresses in any notation, and names that lead there, are not connected to", async (context) => {
  const receiver = await anHttpReceiver();
  const parts = (address: string) => address.split(".").map(Number);
  const notations = (address: string): string[] => {
    const [a = 0, b = 0, c = 0, d = 0] = parts(address);
    const whole = ((a << 24) >>> 0) + (b << 16) + (c << 8) + d;
    const hex = (n: number) => n.toString(16).padStart(2, "0");
    const groups = `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`;
    return [
      address,
      `${whole}`,
      `0x${whole.toString(16)}`,
      parts(address)
        .map((n) => `0${n.toString(8)}`)
        .join("."),
      parts(address)
        .map((n) => `0x${n.toString(16)}`)
        .join("."),
      `${a}.${(b << 16) + (c << 8) + d}`,
      `${a}.${b}.${(c << 8) + d}`,
      `[::ffff:${address}]`,
      `[::ffff:${groups}]`,
      `[::${groups}]`,
      `[64:ff9b::${groups}]`,
      `[2002:${groups}::1]`,
      `user:x@${address}`,
      `${address}.`,
      [...address]
        .map((each) => (/\d/.test(each) ? String.fromCodePoint(0xff10 + Number(each)) : "。"))
        .join(""),
    ];
  };
  const next = random(4);
  const byte = () => Math.floor(next() * 256);
  const addresses = [
    ...[
      "127.0.0.1",
      "127.255.255.254",
      "0.0.0.0",
      "169.254.169.254",
      "10.0.0.1",
      "192.168.0.1",
      "172.16.0.1",
      "100.64.0.1",
    ],
    ...Array.from(
      { length: 12 },
      () => `${pick(["127", "10", "192.168", "169.254"], next)}.${byte()}.${byte()}.${byte()}`,
    ).map((text) => text.split(".").slice(0, 4).join(".")),
  ];
  const targets = [
    ...addresses.flatMap(notations),
    "localhost",
    "LOCALHOST.",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fc00::1]",
  ];
  for (const target of targets) {
    const url = new URL(`http://${target.includes("@") ? target : target}:${receiver.port}/`);
    const sent = sendOutbound(
      { method: "GET", url, headers: {}, timeoutMs: 1000, maxBytes: 1000 },
      allowedBy(undefined),
    );
    await expect(sent, target).rejects.toSatisfy(
      (error) => error instanceof OutboundRefusal || ["ENOTFOUND", "EAI_AGAIN"].includes(error.code),
      target,
    );
  }
  expect(receiver.requests).toEqual([]);
  await receiver.stop();
  count(context, "requests to the inside (SSRF)", targets.length);
}, 120_000);

test("writes with a cookie from other sites' pages are refused", async (context) => {
  const origins = [
    ..."null|https://evil.example|http://localhost:3000.evil.example|http://evil.example/http://localhost:3000".split(
      "|",
    ),
    ..."http://localhost:3001|http://localhost|ftp://localhost:3000x|http://user@evil.example|http://localhost.evil:3000".split(
      "|",
    ),
  ];
  const sites = ["cross-site", "same-site", "SAME-ORIGIN", "x"];
  const writes = routes.filter(({ method, permission }) => method !== "GET" && permission !== "anonymous");
  let attempts = 0;
  for (const [n, route] of writes.entries()) {
    const path = route.path.replace(/\{\w+\}/g, "1");
    const cases: Record<string, string>[] = [
      { origin: origins[n % origins.length] as string },
      { "sec-fetch-site": sites[n % sites.length] as string },
      { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
    ];
    for (const headers of cases) {
      attempts += 1;
      const { status, body } = await rest(route.method, path, { cookie, headers, json: {} });
      expect([status, body.detail], `${route.method} ${path} ${JSON.stringify(headers)}`).toEqual([
        403,
        "Cookie-authenticated writes must come from the service's own pages",
      ]);
    }
  }
  count(context, "other sites' pages (CSRF)", attempts);
}, 120_000);

test("line breaks do not get into headers that are sent", async (context) => {
  const receiver = await anHttpReceiver();
  const breaks = ["\r\n", "\n", "\r", "\u0000", "\r\n\r\n", "\u2028", "\u010a", "\u560d\u560a"];
  let attempts = 0;
  for (const each of breaks)
    for (const headers of [
      { secretHeaders: { "X-Key": `a${each}X-Evil: 1` } },
      { headers: { "X-Key": `a${each}X-Evil: 1` } },
      { headers: { [`X-Key${each}X-Evil`]: "1" } },
      { secretHeaders: { [`X-Key: 1${each}X-Evil`]: "1" } },
    ]) {
      attempts += 1;
      const connection = { baseUrl: receiver.url, headers: {}, ...headers };
      const { status } = await rest("POST", "/data-sources/test-connection", {
        cookie,
        json: { projectId, kind: "RestApi", connection },
      });
      expect(status, JSON.stringify(headers)).toBe(400);
    }
  expect(receiver.requests).toEqual([]);
  await receiver.stop();
  count(context, "headers", attempts);
});

test("paths that lead out of an allowed folder are refused, whatever they are made of", async (context) => {
  const root = mkdtempSync(join(tmpdir(), "plumbline-attacks-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const allowed = join(root, "allowed");
  for (const folder of ["allowed/deep", "allowed-not", "secret"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "secret/a"), "hush");
  symlinkSync(join(root, "secret"), join(allowed, "link"));
  symlinkSync("../..", join(allowed, "deep/up"));
  const parts = [
    "..",
    ".",
    "deep",
    "up",
    "link",
    "a",
    "secret",
    "",
    "....",
    "..%2f",
    "%2e%2e",
    "allowed-not",
    "..\\",
    "\u2025",
  ];
  const next = random(6);
  const attempts = 1000;
  for (let n = 0; n < attempts; n++) {
    const length = 1 + Math.floor(next() * 6);
    const path = [
      pick([allowed, root, "", `${allowed}-not`], next),
      ...Array.from({ length }, () => pick(parts, next)),
    ].join("/");
    const found = await allowedFolder(path, [allowed]);
    if (typeof found === "object")
      expect(found.real === allowed || found.real.startsWith(`${allowed}/`), path).toBe(true);
  }
  expect(await allowedFolder(join(allowed, "link/a"), [allowed])).toBe("refused");
  count(context, "paths", attempts);
});

test("paths of the API in other spellings reach nothing without signing in", async (context) => {
  const spellings = [
    "/%70rojects",
    "//projects",
    "/./projects",
    "/x/../projects",
    "/projects/",
    "/PROJECTS",
    "/projects%00",
    "/projects%2f1",
    "/projects;x=1",
    "/projects?x=1",
    "/audit-log/../projects",
    "/%2e%2e/api/projects",
  ];
  const headers: Record<string, string>[] = [
    {},
    { "x-middleware-subrequest": "middleware" },
    { "x-forwarded-user": "ada" },
    { "x-api-key": "sk-svc_x" },
    { "x-original-url": "/svc/api/setup" },
    { "x-http-method-override": "GET" },
  ];
  let attempts = 0;
  for (const path of spellings)
    for (const each of headers)
      for (const method of ["GET", "POST", "DELETE"]) {
        attempts += 1;
        const { status } = await rest(method, path, { headers: each });
        expect([401, 404, 405], `${method} ${path}`).toContain(status);
      }
  count(context, "sign-in", attempts);
});
