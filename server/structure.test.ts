import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/**
 * The shape of the code, which no other check sees: who may import whom, and what files are called. A failure
 * names the file and what is wrong with it.
 */
const root = join(import.meta.dirname, "..");

/** From the ground up. Names are folders of server/ or files in it; each imports only from floors below. */
const floors: string[][] = [
  [
    "db",
    "errors",
    "env",
    "encryption",
    "log",
    "telemetry",
    "cannot-start",
    "outbound",
    "network",
    "batch-size",
  ],
  ["trpc", "auth"],
  ["jobs"],
  ["realtime"],
  ["notifications", "audit"],
  ["data-sources", "api-keys", "projects", "settings", "edits"],
  ["queries"],
  ["tasks"],
  ["subscriptions", "data-quality"],
  ["actors"],
  ["questions"],
  ["control-tower", "catalog", "approvals"],
  ["db/demo"],
  [
    "rest",
    "mcp",
    "context",
    "expected-host",
    "request-body",
    "request-limits",
    "job-functions",
    "app-router",
  ],
  [
    "main",
    "rotate-key",
    "rebuild-counters",
    "backup",
    "restore",
    "command",
    "web",
    "upgrades",
    "hub-credentials",
    "caller-address",
    "http-server",
    "unfinished-requests",
    "plain-answer",
    "security-headers",
    "port",
    "probes",
    "accompany",
    "page-routes",
    "readiness",
    "data-folder",
    "secrets",
    "stray-errors",
  ],
];

/** Views over other domains, which read their tables. */
const views = ["control-tower", "catalog", "db/demo"];

/**
 * Known and wanted: to say what still uses a thing, its service looks up at the tables that may; and a key
 * means nothing without its user and its projects.
 */
const lookUps = [
  "server/notifications/service/recipients.ts → server/actors/tables.ts",
  "server/notifications/service/recipients.ts → server/data-quality/tables.ts",
  "server/notifications/service/recipients.ts → server/subscriptions/tables.ts",
  "server/queries/service/subscriptions-of-queries.ts → server/subscriptions/tables.ts",
  "server/api-keys/service/load-keys.ts → server/auth/tables.ts",
  "server/api-keys/service/create-key.ts → server/projects/tables.ts",
  "server/tasks/service/tasks.ts → server/subscriptions/tables.ts",
];

type Import = { from: string; to: string; isType: boolean };

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const isCode = (file: string) => /\.tsx?$/.test(file);
const isTest = (file: string) => /\.(test|fixture|spec)\.tsx?$/.test(file) || file.startsWith("server/test/");

const all = ["app", "components", "server", "scripts", "e2e", "faults", "cli", "bench"].flatMap((folder) =>
  readdirSync(root).includes(folder) ? filesBelow(folder) : [],
);
const code = all.filter((file) => isCode(file) && !isTest(file));
const imports = code.flatMap(importsOf);
const own = imports.filter(({ to }) => code.includes(to));

function importsOf(from: string): Import[] {
  const source = readFileSync(join(root, from), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const statements = [
    ...source.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s*"([^"]+)"/gm),
    ...source.matchAll(/^import\s+()"([^"]+)"/gm),
    ...source.matchAll(/\bimport\(()"([^"]+)"\)/g),
  ];
  return statements.map(([, type, path = ""]) => ({ from, to: resolved(from, path), isType: Boolean(type) }));
}

function resolved(from: string, path: string): string {
  if (path.startsWith("@/")) return path.slice(2);
  return path.startsWith(".") ? join(dirname(from), path) : path;
}

/** The folder of server/, or the file in it, that a file belongs to: "db/demo", "data-quality", "main". */
function partOf(file: string): string {
  const [, first = "", second = ""] = file.split("/");
  if (first === "db" && second === "demo") return "db/demo";
  return first.replace(/\.tsx?$/, "");
}

const floorOf = (file: string) => floors.findIndex((floor) => floor.includes(partOf(file)));
const isTables = (file: string) => basename(file) === "tables.ts" || file === "server/db/schema.ts";
const server = own.filter(({ from, to }) => from.startsWith("server/") && to.startsWith("server/"));
const named = (list: Import[]) =>
  list.map(({ from, to }) => `${from} → ${to}`).filter((name) => !lookUps.includes(name));

test("every file of the server stands on a floor", () => {
  expect(code.filter((file) => file.startsWith("server/") && floorOf(file) < 0)).toEqual([]);
});

test("imports go down: never up, and never across to another domain on the same floor", () => {
  const isDown = ({ from, to }: Import) => floorOf(to) < floorOf(from) || partOf(from) === partOf(to);
  const besides = ({ from, to }: Import) =>
    // The ground, the session and the doors are one thing each in several files.
    floorOf(from) === floorOf(to) &&
    ["db", "auth", "rest", "main"].some((part) => floors[floorOf(to)]?.includes(part));
  expect(named(server.filter((i) => !isTables(i.from) && !isDown(i) && !besides(i)))).toEqual([]);
});

test("between domains, only services, schemas, events and pure files are imported", () => {
  const isInner = ({ to }: Import) => /\/(router|jobs|tables)\.ts$/.test(to);
  const isComposed = ({ from }: Import) => /^server\/(app-router|job-functions|main)\.ts$/.test(from);
  const crossing = server.filter(({ from, to }) => partOf(from) !== partOf(to) && !isTables(from));
  const forbidden = crossing.filter(
    (i) => isInner(i) && !isComposed(i) && !(isTables(i.to) && views.includes(partOf(i.from))),
  );
  expect(named(forbidden)).toEqual([]);
});

test("what runs in the browser imports of the server only what it may load there", () => {
  const isClient = (file: string) => readFileSync(join(root, file), "utf8").startsWith('"use client"');
  const fromClients = own.filter(
    ({ from, to, isType }) => to.startsWith("server/") && !isType && isClient(from),
  );
  const drags = (file: string, seen = new Set<string>()): string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    const next = imports.filter(({ from, isType }) => from === file && !isType).map(({ to }) => to);
    return next.flatMap((to) => (code.includes(to) ? drags(to, seen) : [to]));
  };
  const isOfTheServer = (name: string) => /^(node:|drizzle-orm|postgres$|pino$|inngest|next-auth)/.test(name);
  expect(named(fromClients.filter(({ to }) => drags(to).some(isOfTheServer)))).toEqual([]);
});

test("no file imports itself through others", () => {
  const values = Map.groupBy(
    own.filter(({ isType }) => !isType),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of values.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of code) walk(file, []);
  expect(cycles).toEqual([]);
});

test("only services, tables and the database's own files know Drizzle", () => {
  const may =
    /(^server\/(db|jobs)\/|\/(connected-sources|reseal-secrets)\.ts$|\/(tables|service|visibility)\.ts$|\/service\/[^/]+\.ts$)/;
  expect(named(imports.filter(({ from, to }) => to.startsWith("drizzle-orm") && !may.test(from)))).toEqual(
    [],
  );
});

test("the database's client does not know the tables, so that a domain loads its own alone", () => {
  expect(
    named(own.filter(({ from, to }) => to === "server/db/schema.ts" && from !== "drizzle.config.ts")),
  ).toEqual([]);
});

test("files are named for what they hold, in kebab-case", () => {
  const meaningless = /(^|\/)(index|utils?|helpers?|types|common|misc|constants)(\/|\.tsx?$)/;
  const isKebab = (file: string) =>
    file.split("/").every((name) => /^([a-z0-9.-]+|README\.md|\[.+\]|\(.+\)|_[a-z]+)$/.test(name));
  expect(all.filter((file) => meaningless.test(file) || !isKebab(file))).toEqual([]);
});

test("a service that grows becomes a folder of verbs", () => {
  const linesOf = (file: string) => readFileSync(join(root, file), "utf8").split("\n").length;
  expect(code.filter((file) => basename(file) === "service.ts" && linesOf(file) > 280)).toEqual([]);
});

test("the top of the repository holds these and nothing else", () => {
  const folders = [
    "app",
    "bench",
    "cli",
    "components",
    "docs",
    "drizzle",
    "e2e",
    "faults",
    "scripts",
    "server",
  ];
  const documents = ["CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"];
  const containers = ["Dockerfile", ".dockerignore", "compose.yaml"];
  const files = [...documents, ...containers, "package.json", "package-lock.json", "tsconfig.json"];
  const configuration = /^(\.ci|\.git|\.gitignore|\.npmrc|biome\.json|[a-z]+\.config\.(ts|mjs))$/;
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n").filter(Boolean);
  const isIgnored = (name: string) =>
    ignored.some(
      (line) => line.replace(/\/$/, "") === name || (line.startsWith("*") && name.endsWith(line.slice(1))),
    );
  const others = readdirSync(root).filter(
    (name) => ![...folders, ...files].includes(name) && !configuration.test(name) && !isIgnored(name),
  );
  expect(others).toEqual([]);
});
