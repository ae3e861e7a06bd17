import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { env } from "../../env.ts";
import type { Limits, SourceRequest } from "./engine.ts";
import { restApi } from "./rest-api.ts";

type Heard = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
const ample: Limits = { timeoutMs: 5_000, maxRows: 1_000, maxBytes: 1_000_000 };

let api: Server;
let baseUrl: string;
let heard: Heard[] = [];
let status = 200;
let answer: string | Buffer | null = "[]";

beforeAll(async () => {
  api = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    heard.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    if (answer !== null) response.writeHead(status).end(answer);
    else response.writeHead(200).write("[");
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  api.closeAllConnections();
  api.close();
});
beforeEach(() => {
  [heard, status, answer] = [[], 200, "[]"];
  env().OUTBOUND_ALLOW = "127.0.0.1";
});

const ask = async (request: Partial<SourceRequest> = {}, limits: Partial<Limits> = {}) => {
  const connection = { baseUrl, headers: { "X-Team": "data" }, secretHeaders: { Authorization: "Bearer x" } };
  const source = restApi.open(connection);
  if (!source.request) throw new Error("A REST API takes requests");
  return source.request({ method: "GET", path: "/orders", ...request }, { ...ample, ...limits });
};
const rowsOf = (json: string, more: Partial<SourceRequest> = {}, limits: Partial<Limits> = {}) => {
  answer = json;
  return ask(more, limits);
};

test("a request goes below the base URL, with its query, body, and all headers", async () => {
  await ask({
    method: "POST",
    path: "/orders/a%2Fb/",
    query: { status: "open & new", __proto__x: "1" },
    body: { from: 1.5, names: ["ü", null] },
  });
  expect(heard).toEqual([
    {
      method: "POST",
      url: "/v1/orders/a%2Fb/?status=open+%26+new&__proto__x=1",
      headers: expect.objectContaining({
        "content-type": "application/json",
        accept: "application/json",
        authorization: "Bearer x",
        "x-team": "data",
      }),
      body: '{"from":1.5,"names":["ü",null]}',
    },
  ]);
  for (const [path, url] of [
    ["", "/v1"],
    ["/", "/v1"],
    ["orders", "/v1/orders"],
    ["/orders:search", "/v1/orders:search"],
    ["/a b/ü", "/v1/a%20b/%C3%BC"],
  ] as const) {
    heard = [];
    await ask({ path });
    expect(heard[0]).toMatchObject({ method: "GET", url });
  }
});

test.each([
  "../admin",
  "/..",
  "/a/../../admin",
  "/a/./b",
  "%2e%2e/admin",
  "/%2E./admin",
  "/..%2fadmin",
  "/%252e%252e/admin",
  "/..;x=1/admin",
  "//evil.example/x",
  "/%2Fevil.example",
  "%2f%2fevil.example",
  "https://evil.example/",
  "/https://evil.example/",
  "https%3A%2F%2Fevil.example",
  "\\\\evil.example",
  "/a\\..\\b",
  "/a%5c..%5cb",
  "/a\n/b",
  "/a%0d%0aHost:x",
  "/a//b",
  "/a?b=c",
  "/a#b",
  "/100%",
])("the path %j is refused, and nothing is sent", async (path) => {
  await expect(ask({ path })).rejects.toMatchObject({
    name: "SourceError",
    kind: "refused",
    message: expect.stringMatching(/^The path /),
  });
  expect(heard).toEqual([]);
});

test("a GET with a body is rejected", async () => {
  await expect(ask({ body: {} })).rejects.toMatchObject({ kind: "refused" });
});

describe("rows", () => {
  test("columns are in order of first appearance; missing values are null, and nested ones JSON", async () => {
    const json = `[
      {"id": 1, "2024": true, "tags": ["a", {"b" : " x  y\\" " }], "name": "A \\u00fc"},
      {"more": null, "id": 2, "__proto__": "p", "id": 3}
    ]`;
    expect(await rowsOf(json)).toEqual({
      columns: [
        { name: "id", type: "integer" },
        { name: "2024", type: "boolean" },
        { name: "tags", type: "json" },
        { name: "name", type: "text" },
        { name: "more", type: "text" },
        { name: "__proto__", type: "text" },
      ],
      rows: [
        [1, true, '["a",{"b":" x  y\\" "}]', "A ü", null, null],
        [3, null, null, null, null, "p"],
      ],
      truncated: false,
      rowCount: 2,
    });
  });

  test("numbers are exact: integers beyond 2^53 and decimals are text, as is the rest of their column", async () => {
    const json =
      '[{"i": 9007199254740991, "big": 9007199254740993, "d": 1.10, "n": {"x": 0.10000000000000000001}}' +
      ', {"i": -5, "big": 1, "d": 12345678901234567890.5, "n": null}, {"i": 0, "big": -1, "d": 7}]';
    const { columns, rows } = await rowsOf(json);
    expect(columns.map(({ type }) => type)).toEqual(["integer", "integer", "number", "json"]);
    expect(rows).toEqual([
      [9007199254740991, "9007199254740993", "1.10", '{"x":0.10000000000000000001}'],
      [-5, "1", "12345678901234567890.5", null],
      [0, "-1", "7", null],
    ]);
  });

  test("a column of mixed types is text", async () => {
    const { columns, rows } = await rowsOf('[{"a": 1}, {"a": "x"}, {"a": true}, {"a": [1, 2]}, {"a": null}]');
    expect(columns).toEqual([{ name: "a", type: "text" }]);
    expect(rows).toEqual([["1"], ["x"], ["true"], ["[1,2]"], [null]]);
  });

  test.each([
    ["[]", [], []],
    ['{"a": 1}', ["a"], [[1]]],
    ["{}", [], [[]]],
    ["[1, null, 3]", ["value"], [[1], [null], [3]]],
    ["[[1, 2], [3]]", ["value"], [["[1,2]"], ["[3]"]]],
    [
      '[{"a": 1}, 2]',
      ["a", "value"],
      [
        [1, null],
        [null, 2],
      ],
    ],
    ['\ufeff[{"a": "x"}]', ["a"], [["x"]]],
  ])("%s", async (json, names, rows) => {
    const result = await rowsOf(json);
    expect(result.columns.map(({ name }) => name)).toEqual(names);
    expect(result.rows).toEqual(rows);
  });

  test.each([
    ["data.items", [[1]]],
    ["data.list[1].rows", [[2]]],
    ["data.list.1.rows", [[2]]],
    ["data.one", [[3]]],
  ])("rowsPath %s", async (rowsPath, rows) => {
    const json = '{"data": {"items": [{"a": 1}], "list": [0, {"rows": [2]}], "one": {"c": 3}}}';
    expect((await rowsOf(json, { rowsPath })).rows).toEqual(rows);
  });

  test("a path may start with an index", async () => {
    expect((await rowsOf('[0, {"rows": [5]}]', { rowsPath: "[1].rows" })).rows).toEqual([[5]]);
  });

  test.each([
    ["items", 'rowsPath items was not found: the answer has no "items"; it has data, more'],
    ["data.itemz", 'rowsPath data.itemz was not found: data has no "itemz"; it has items, none'],
    ["data.items.7", 'rowsPath data.items.7 was not found: data.items has no "7"; it is an array'],
    ["data.none", "rowsPath data.none leads to null: rows are an array, or one object"],
    ["more.x", 'rowsPath more.x was not found: more has no "x"; it is a number'],
    ["toString", 'rowsPath toString was not found: the answer has no "toString"; it has data, more'],
  ])("rowsPath %s leads nowhere", async (rowsPath, message) => {
    const json = '{"data": {"items": [1], "none": null}, "more": 1}';
    await expect(rowsOf(json, { rowsPath })).rejects.toMatchObject({ kind: "statement", message });
  });

  test.each(["5", '"text"', "null", "true"])("an answer that is %s holds no rows", async (json) => {
    await expect(rowsOf(json)).rejects.toMatchObject({ kind: "statement" });
  });

  test.each(["", "<html>", '{"a":', "[1,]", "NaN", "[01]", Buffer.from([0x22, 0xff, 0x22])])(
    "a response that is not JSON is rejected (%#)",
    async (given) => {
      answer = given;
      await expect(ask()).rejects.toMatchObject({
        kind: "statement",
        message: expect.stringMatching(
          /^The API (response is not JSON|returned an empty response instead of JSON)$/,
        ),
      });
    },
  );

  test("a deeply nested response crashes nothing", async () => {
    const depth = 100_000;
    const result = await rowsOf(`[{"a": ${"[".repeat(depth)}${"]".repeat(depth)}}]`);
    expect(String(result.rows[0]?.[0])).toHaveLength(2 * depth);
  });
});

describe("limits", () => {
  const million = JSON.stringify(Array.from({ length: 5_000 }, (_, id) => ({ id, name: "x".repeat(20) })));

  test("rows beyond the limit are dropped", async () => {
    const some = await rowsOf(million, {}, { maxRows: 7 });
    expect([some.rows.length, some.truncated]).toEqual([7, true]);
    expect(some.rowCount).toBe(7);
    const counted = await rowsOf(million, {}, { maxRows: 7, countAll: true });
    expect([counted.rows.length, counted.truncated, counted.rowCount]).toEqual([7, true, 5_000]);
    const all = await rowsOf(million, {}, { maxRows: 5_000 });
    expect([all.rows.length, all.truncated]).toEqual([5_000, false]);
  });

  test("a response over the byte limit is not read to the end", async () => {
    await expect(rowsOf(million, {}, { maxBytes: 10_000 })).rejects.toMatchObject({
      kind: "statement",
      message: "The response is larger than 10000 bytes",
    });
  });

  test("rows with ever-changing columns do not become a table of millions of cells", async () => {
    const wild = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ [`c${n}`]: n })));
    const result = await rowsOf(wild, {}, { maxRows: 10_000, maxBytes: 1_000_000 });
    expect(result.truncated).toBe(true);
    expect(result.rows.length * result.columns.length * 12).toBeLessThan(1_000_000);
  });

  test("an API that does not finish is aborted", async () => {
    answer = null;
    await expect(ask({}, { timeoutMs: 200 })).rejects.toMatchObject({
      kind: "timeout",
      message: "No complete response within 0.2 s",
    });
  });
});

test.each([
  [400, "statement", "The API rejected the request (HTTP 400)"],
  [401, "unreachable", "The API rejected the request headers (HTTP 401)"],
  [404, "statement", "The API returned 404 Not Found for this path"],
  [429, "unreachable", "The API is rate limiting requests (HTTP 429)"],
  [302, "unreachable", expect.stringContaining("Redirects are not followed")],
  [503, "unreachable", "The API failed with a server error (HTTP 503)"],
])("HTTP %i is a failure that says why", async (code, kind, message) => {
  [status, answer] = [code, '{"error": "Bearer x"}'];
  await expect(ask()).rejects.toMatchObject({ name: "SourceError", kind, message });
});

test("non-public addresses are not contacted unless an operator allows it", async () => {
  env().OUTBOUND_ALLOW = undefined;
  await expect(ask()).rejects.toMatchObject({
    kind: "unreachable",
    message: expect.stringContaining("OUTBOUND_ALLOW"),
  });
  expect(heard).toEqual([]);
});
