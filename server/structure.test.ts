import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { expect, test } from "vitest";
import { type Import, importsOf } from "./test/imports.ts";

/**
 * Checks the structure of the code: who may import whom, and how files are named. A failure names the file and the
 * problem.
 */
const root = join(import.meta.dirname, "..");

/** Bottom-up. Names are folders of server/ or files in it; each may import only from layers below. */
const layers: string[][] = [
  [
    "db",
    "errors",
    "env",
    "text",
    "normal",
    "kept",
    "shown-hash",
    "masking",
    "telemetry",
    "outbound",
    "machine-memory",
    "program-files",
    "keep-compiled",
    "request-headers",
    "requests-elsewhere",
    "one-at-a-time",
    "requests-first",
    "zoned-time",
  ],
  ["trpc", "auth", "bulk"],
  ["jobs"],
  ["realtime"],
  ["audit"],
  ["edits", "audit-chain"],
  ["stacks"],
  ["notifications"],
  ["data-sources", "api-keys", "projects", "settings", "views", "service-accounts"],
  ["maintenance", "reported-events"],
  ["queries", "profile"],
  ["tasks"],
  ["lineage"],
  ["subscriptions", "data-quality", "watch"],
  ["findings"],
  ["incidents"],
  ["actors"],
  ["questions", "finding-reviews", "causes"],
  [
    "control-tower",
    "catalog",
    "approvals",
    "gate",
    "needs-attention",
    "getting-started",
    "favorites",
    "lists",
  ],
  ["personal-digests"],
  ["doors", "app-router"],
  ["demo"],
  ["process", "commands", "job-functions"],
];

/** Views over other domains; they read those domains' tables. */
const views = [
  "audit-chain",
  "lineage",
  "incidents",
  "causes",
  "control-tower",
  "catalog",
  "gate",
  "needs-attention",
  "getting-started",
  "favorites",
  "lists",
  "personal-digests",
  "demo",
];

/**
 * Deliberate exceptions: to list what still uses an object, its service reads tables of higher layers; and a key is
 * meaningless without its user and its projects, as is a limit to projects without them.
 */
const lookUps = [
  "server/notifications/service/recipients.ts → server/actors/tables.ts",
  "server/notifications/service/recipients.ts → server/data-quality/tables.ts",
  "server/notifications/service/recipients.ts → server/subscriptions/tables.ts",
  "server/notifications/service/recipients.ts → server/incidents/tables.ts",
  "server/queries/service/subscriptions-of-queries.ts → server/subscriptions/tables.ts",
  "server/queries/service/subscription-titles.ts → server/subscriptions/tables.ts",
  "server/api-keys/service/load-keys.ts → server/auth/tables.ts",
  "server/api-keys/service/create-key.ts → server/projects/tables.ts",
  "server/auth/service/store-access.ts → server/projects/tables.ts",
  "server/auth/service/project-roles.ts → server/projects/tables.ts",
  "server/tasks/service/tasks.ts → server/data-quality/tables.ts",
  "server/tasks/service/tasks.ts → server/subscriptions/tables.ts",
];

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
const imports = code.flatMap((file) => importsOf(file));
const own = imports.filter(({ to }) => code.includes(to));

/** The folder or file of server/ that a file belongs to: "data-quality", "env". */
function partOf(file: string): string {
  const [, first = ""] = file.split("/");
  return first.replace(/\.tsx?$/, "");
}

const layerOf = (file: string) => layers.findIndex((layer) => layer.includes(partOf(file)));
const isTables = (file: string) => basename(file) === "tables.ts" || file === "server/db/schema.ts";
const server = own.filter(({ from, to }) => from.startsWith("server/") && to.startsWith("server/"));
const named = (list: Import[]) =>
  list.map(({ from, to }) => `${from} → ${to}`).filter((name) => !lookUps.includes(name));

test("every server file belongs to a layer", () => {
  expect(code.filter((file) => file.startsWith("server/") && layerOf(file) < 0)).toEqual([]);
});

test("imports go down: never up, and never to another domain in the same layer", () => {
  const isDown = ({ from, to }: Import) => layerOf(to) < layerOf(from) || partOf(from) === partOf(to);
  const besides = ({ from, to }: Import) =>
    // The lowest layer and those of the session and the APIs consist of several parts.
    layerOf(from) === layerOf(to) &&
    ["db", "auth", "doors", "process"].some((part) => layers[layerOf(to)]?.includes(part));
  expect(named(server.filter((i) => !isTables(i.from) && !isDown(i) && !besides(i)))).toEqual([]);
});

test("across domains, only services, schemas, events, and pure files are imported", () => {
  const isInner = ({ to }: Import) => /\/(router|jobs|tables)\.ts$/.test(to);
  const isComposed = ({ from }: Import) =>
    /^server\/(app-router|job-functions|process\/main)\.ts$/.test(from);
  const crossing = server.filter(({ from, to }) => partOf(from) !== partOf(to) && !isTables(from));
  const forbidden = crossing.filter(
    (i) => isInner(i) && !isComposed(i) && !(isTables(i.to) && views.includes(partOf(i.from))),
  );
  expect(named(forbidden)).toEqual([]);
});

test("services don't import what calls or displays them", () => {
  const layers = [
    (file: string) => file.startsWith("server/"),
    // A router may move some of its procedures to files next to it.
    (file: string) => /^server\/.*\/(router|jobs|[a-z-]+-procedures)\.ts$/.test(file),
    (file: string) => file.startsWith("components/ui/"),
    (file: string) => file.startsWith("components/"),
    (file: string) => /^(app|cli|scripts|e2e|faults|bench)\//.test(file),
  ];
  const layerOf = (file: string) => layers.findLastIndex((holds) => holds(file));
  const compose = ["server/app-router.ts", "server/job-functions.ts"];
  const upwards = own.filter(({ from, to }) => layerOf(to) > layerOf(from) && !compose.includes(from));
  const isService = (file: string) => /\/service(\/[^/]+)?\.ts$/.test(file);
  const isShape = (file: string) =>
    /([/-]schema|\/tables)\.ts$|\/connections\//.test(file) && !isService(file);
  const fromShapes = own.filter(({ from, to }) => isShape(from) && isService(to));
  expect(named([...upwards, ...fromShapes])).toEqual([]);
});

test("pages and components import only browser-safe server code: Next never bundles the rest", () => {
  const fromPages = own.filter(
    ({ from, to, isType }) =>
      to.startsWith("server/") && !isType && (from.startsWith("app/") || from.startsWith("components/")),
  );
  const drags = (file: string, seen = new Set<string>()): string[] => {
    if (seen.has(file)) return [];
    seen.add(file);
    const next = imports.filter(({ from, isType }) => from === file && !isType).map(({ to }) => to);
    return next.flatMap((to) => (code.includes(to) ? drags(to, seen) : [to]));
  };
  const isForBrowsers = (name: string) => ["croner", "decimal.js", "zod"].includes(name);
  expect(fromPages.flatMap(({ to }) => drags(to).filter((name) => !isForBrowsers(name)))).toEqual([]);
});

const atOnce = (file: string) =>
  imports.filter(({ from, isType, isLater }) => from === file && !isType && !isLater).map(({ to }) => to);
const isClient = (file: string) => /^"use client"/.test(readFileSync(join(root, file), "utf8"));

/** Everything that a browser loads at once for a file; what is rendered on the server alone is passed through. */
function loadedAtOnce(file: string, isLoaded = false, seen = new Set<string>()): Set<string> {
  const isHere = isLoaded || (code.includes(file) && isClient(file));
  if (!code.includes(file) || (!isHere && file.startsWith("server/"))) return seen;
  const key = `${file} ${isHere}`;
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const to of atOnce(file)) {
    if (isHere && !code.includes(to)) seen.add(to);
    loadedAtOnce(to, isHere, seen);
  }
  return seen;
}

test("a page loads neither Zod nor the parser of schedules at once, unless it has a form that shows what they say", () => {
  const needsThem = /\/(contracts\/(import|\[id\]\/page)|templates|ai-actors|findings\/\[id\])/;
  const schedules = /\/(incidents\/maintenance|subscriptions\/\[id\]\/page|data-sources\/(new|\[id\]))/;
  const heavy = code
    .filter((file) => file.endsWith("/page.tsx"))
    .flatMap((page) => {
      const all = loadedAtOnce(page);
      const zod = all.has("zod") && !needsThem.test(page) ? [`${page} → zod`] : [];
      const cron =
        all.has("croner") && !needsThem.test(page) && !schedules.test(page) ? [`${page} → croner`] : [];
      return [...zod, ...cron];
    });
  expect(heavy).toEqual([]);
});

test("the editor of a contract is there before the definitions of rules and what shows them", () => {
  const pages = ["new", "[id]/edit"].map((page) => `app/(console)/data-quality/contracts/${page}/page.tsx`);
  const later =
    /^(zod|croner|cronstrue|decimal\.js|yaml|server\/data-quality\/rules\/|server\/data-sources\/dialects\/)/;
  const inBrowser = (page: string) =>
    [...loadedAtOnce(page)]
      .filter((each) => !each.endsWith(" false"))
      .map((each) => each.replace(/ true$/, ""));
  for (const page of pages) {
    const all = inBrowser(page);
    expect(all).toContain("components/data-quality/rule-editor.tsx");
    expect(all.filter((each) => later.test(each))).toEqual([]);
  }
});

test("no import cycles, not even through types", () => {
  const importsBy = Map.groupBy(own, ({ from }) => from);
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const { to } of importsBy.get(file) ?? []) walk(to, [...path, file]);
    done.add(file);
  };
  for (const file of code) walk(file, []);
  expect(cycles).toEqual([]);
});

test("icons come from their own file, since an installation has no other (npm run icons)", () => {
  expect(
    named(imports.filter(({ from, to }) => to === "lucide-react" && from !== "scripts/icons.ts")),
  ).toEqual([]);
});

test("links come from their own file: Next's fetches pages that nobody asked for", () => {
  const isOurs = (file: string) => file === "components/ui/link.tsx";
  expect(named(imports.filter(({ from, to }) => to === "next/link" && !isOurs(from)))).toEqual([]);
});

test("only services, tables, and the database's own files import Drizzle", () => {
  const may =
    /(^server\/(db|jobs|demo)\/|\/reseal-secrets\.ts$|\/(tables|service|visibility)\.ts$|\/service\/[^/]+\.ts$)/;
  expect(named(imports.filter(({ from, to }) => to.startsWith("drizzle-orm") && !may.test(from)))).toEqual(
    [],
  );
});

test("the database client doesn't import the tables, so that a domain loads only its own", () => {
  expect(
    named(own.filter(({ from, to }) => to === "server/db/schema.ts" && from !== "drizzle.config.ts")),
  ).toEqual([]);
});

test("the service loads a data source's driver with its first connection, not when it starts", () => {
  const drivers = /^(mysql2|tedious|@clickhouse\/client|@duckdb\/node-api|@polyglot-sql\/)/;
  const entries = ["process/main", "process/web", "app-router", "job-functions"];
  const loaded = new Set(entries.map((name) => `server/${name}.ts`));
  for (const file of loaded) {
    const source = readFileSync(join(root, file), "utf8").replace(/\bimport\("[^"]+"\)/g, "");
    for (const { to, isType } of importsOf(file, source)) if (!isType && code.includes(to)) loaded.add(to);
  }
  expect(loaded.size).toBeGreaterThan(500);
  expect(
    named(imports.filter(({ from, to, isType }) => loaded.has(from) && !isType && drivers.test(to))),
  ).toEqual([]);
});

test("state lives in modules, each loaded once: only the pages' handle is on globalThis", () => {
  const may = ["server/process/page-services.ts", "server/actors/models/openai.ts"];
  const isGlobal = (file: string) => /\bglobalThis\b/.test(readFileSync(join(root, file), "utf8"));
  expect(code.filter((file) => file.startsWith("server/") && !may.includes(file) && isGlobal(file))).toEqual(
    [],
  );
});

test("files are named after their content, in kebab-case", () => {
  const meaningless = /(^|\/)(index|utils?|helpers?|types|common|misc|constants)(\/|\.tsx?$)/;
  const isKebab = (file: string) =>
    file.split("/").every((name) => /^([a-z0-9.-]+|README\.md|\[.+\]|\(.+\)|_[a-z]+)$/.test(name));
  expect(all.filter((file) => meaningless.test(file) || !isKebab(file))).toEqual([]);
});

test("a service that grows becomes a folder of verbs instead of a file", () => {
  const linesOf = (file: string) => readFileSync(join(root, file), "utf8").split("\n").length;
  expect(code.filter((file) => basename(file) === "service.ts" && linesOf(file) > 280)).toEqual([]);
  const isBoth = (file: string) => code.some((other) => other.startsWith(file.replace(/\.ts$/, "/")));
  expect(code.filter((file) => basename(file) === "service.ts" && isBoth(file))).toEqual([]);
});

test("the repository root contains only these", () => {
  const folders = [
    "app",
    "bench",
    "cli",
    "components",
    "deploy",
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
  const hooks = ["instrumentation.ts", "instrumentation-client.ts"];
  const configuration = /^(\.ci|\.git|\.gitignore|\.npmrc|biome\.json|[a-z]+\.config\.(ts|mjs))$/;
  const ignored = readFileSync(join(root, ".gitignore"), "utf8").split("\n").filter(Boolean);
  const isIgnored = (name: string) =>
    ignored.some(
      (line) => line.replace(/\/$/, "") === name || (line.startsWith("*") && name.endsWith(line.slice(1))),
    );
  const others = readdirSync(root).filter(
    (name) =>
      ![...folders, ...files, ...hooks].includes(name) && !configuration.test(name) && !isIgnored(name),
  );
  expect(others).toEqual([]);
});
