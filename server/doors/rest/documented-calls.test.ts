import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { findRoute, type Route } from "./routes.ts";

/** The calls of the REST API that pages of the docs show, against the OpenAPI document and the procedures' own input. */

type Call = { page: string; method: string; path: string; body: string | null };

const folder = join(import.meta.dirname, "../../../docs");
const pages = readdirSync(folder)
  // The commands of rest.md are run, by a journey.
  .filter((name) => name.endsWith(".md") && name !== "rest.md")
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));

/** In place of what is only known when it runs. */
const withIds = (path: string) => path.replaceAll(/\$\{?\w+\}?|\{\w+\}/g, "1");

const commands = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, script = ""]) =>
    callsIn(script).map((call): Call => ({ page: name, ...call })),
  ),
);

/** The calls of curl in a script, each with the address, without what variables and session routes say. */
function callsIn(script: string): Omit<Call, "page">[] {
  return script.split(/^(?=.*\bcurl )/m).flatMap((call) => {
    const [, found = ""] = /\/svc\/api(\/[^\s"'?)]*)/.exec(call.replaceAll(/\$\([^()]*\)/g, "1")) ?? [];
    if (!call.includes("curl ") || found === "" || /^\/(auth\/(csrf|callback)|hub\/|scim)/.test(found))
      return [];
    const [, body = null] = /(?:-d|--data|--json) '([^']*)'/.exec(call) ?? [];
    const [, method = / (-d|--data\S*|--json) /.test(call) ? "POST" : "GET"] =
      /(?:-X|--request) ?(\w+)/.exec(call) ?? [];
    return { method, path: withIds(found), body };
  });
}

/** Requests without a command: a line with method and address, and below it the body. */
const requests = pages.flatMap(({ name, text }) =>
  [...text.matchAll(/^(POST|PUT) \/svc\/api(\/\S*)\n(\{[\s\S]*?)^```$/gm)].map(
    ([, method = "", path = "", body = ""]): Call => ({ page: name, method, path: withIds(path), body }),
  ),
);

/** In a sentence or a table: the address, and right after it what it takes. */
const sentences = pages.flatMap(({ name, text }) =>
  [
    ...text.matchAll(
      /`(POST|PUT) \/svc\/api(\/[^`?]*)(?:\?[^`]*)?`[\s|]*(?:with|takes)?[\s|]*`(\{[^`]*\})`/g,
    ),
  ].map(([, method = "", path = "", body = ""]): Call => ({ page: name, method, path: withIds(path), body })),
);

test("each call is one of the API", () => {
  expect([commands.length > 40, requests.length, sentences.length > 8]).toEqual([true, 2, true]);
  const wrong = [...commands, ...requests, ...sentences].filter(
    ({ method, path }) => !findRoute(method, path).match,
  );
  expect(wrong).toEqual([]);
});

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
// The library does not know these, and no page shows one.
for (const format of ["cidrv4", "cidrv6"]) ajv.addFormat(format, true);
ajv.addSchema(openApiDocument(), "openapi");

const pointer = (...keys: string[]) =>
  keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");

/** Validates against the operation's schema in the document. */
const bodySchema = ({ path, method }: Route) =>
  ajv.getSchema(
    `openapi#/paths/${pointer(path, method.toLowerCase(), "requestBody", "content", "application/json", "schema")}`,
  );

/** What is not accepted of a body, by the document and by the procedure. */
function problemsOf({ method, path, body }: Call): string[] {
  const { match } = findRoute(method, path);
  if (!match || body === null) return [];
  const sent = JSON.parse(body);
  const matches = bodySchema(match.route);
  if (!matches) return ["takes no JSON"];
  const described = matches(sent) ? [] : (matches.errors ?? []);
  const parsed = match.route.input?.safeParse({ ...sent, ...match.parameters });
  return [
    ...described.map(({ instancePath, message }) => `document: ${instancePath} ${message}`),
    ...(parsed?.error?.issues ?? []).map(({ path, message }) => `procedure: ${path.join(".")} ${message}`),
  ];
}

/** Whole JSON, rather than the names of its fields, or what the shell fills in. */
const isWhole = ({ body }: Call) => body !== null && /^\{\s*("|\})/.test(body) && !body.includes("…");

test("each body is accepted by the document and by the procedure", () => {
  const whole = [...commands, ...requests, ...sentences].filter(isWhole);
  expect(whole.length).toBeGreaterThan(30);
  const wrong = whole.flatMap((call) =>
    problemsOf(call).map((problem) => `${call.page}: ${call.method} ${call.path}: ${problem}`),
  );
  expect(wrong).toEqual([]);
});

test("what is sent otherwise is no JSON", () => {
  const others = commands.filter((call) => call.body !== null && !isWhole(call));
  expect(others.map(({ page, body }) => [page, body])).toEqual([]);
});

test("fields that are only named exist, and none without a question mark is optional", () => {
  const named = sentences.filter((call) => !isWhole(call));
  expect(named.length).toBeGreaterThan(5);
  const wrong = named.flatMap(({ page, method, path, body }) => {
    const { match } = findRoute(method, path);
    const shape = match?.route.shape ?? {};
    // Of the first level alone.
    const fields = (body ?? "").replaceAll(/\[.*?\]/g, "");
    return [...fields.matchAll(/(?<=[{,] )(\w+)(\??)(?=[,:]| \})/g)].flatMap(([, name = "", mark]) => {
      const field = shape[name];
      if (!field) return `${page}: ${method} ${path} has no ${name}`;
      return (mark === "?") === field.safeParse(undefined).success
        ? []
        : `${page}: ${method} ${path}: ${name}`;
    });
  });
  expect(wrong).toEqual([]);
});
