import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issuedForLocalhost } from "../../test/factories/certificates.ts";
import { until } from "../../test/listening.ts";
import type { ConnectionWithPassword, Limits, Statement } from "./engine.ts";
import { trino } from "./trino.ts";

/**
 * The engine against answers as Trino's documentation has them ("Trino client REST API"), of which a real server of 483
 * sent the same. What a real server does is in trino.test.ts; here is what one does seldom, and what none should.
 */

type Asked = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };
type Reply = {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Answers nothing at all. */
  hangs?: boolean;
};
let asked: Asked[] = [];
/** What is answered, in turn. */
let replies: (Reply | ((base: string) => Reply))[] = [];
let base = "";

const onRequest = (request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { method = "", url = "", headers } = request;
    asked.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
    if (method === "DELETE") return response.writeHead(204).end();
    const next = replies.shift();
    const {
      status = 200,
      body,
      headers: own,
      hangs,
    } = (typeof next === "function" ? next(base) : next) ?? {
      status: 500,
    };
    if (hangs) return;
    const text = typeof body === "string" ? body : JSON.stringify(body ?? {});
    response.writeHead(status, { "content-type": "application/json", ...own }).end(text);
  });
};
const server = createServer(onRequest);
let target: ConnectionWithPassword;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  target = { host: "127.0.0.1", port, user: "reader", password: "", database: "lake/sales", ssl: false };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  replies = [];
});

const id = "20261128_054852_00000_6ea54";
const queued = `/v1/statement/queued/${id}/ya736a921308b96ed30b23a39ad2b767b65f0c1eb/1`;
const executing = (token: number) => `/v1/statement/executing/${id}/y5ee2f7f/${token}`;
const columns = [
  { name: "id", type: "bigint", typeSignature: { rawType: "bigint", arguments: [] } },
  { name: "name", type: "varchar(10)" },
];
/** An answer, as the server writes it; the next address is on whatever host it says. */
const page =
  (path: string | null, rest: object = {}, host?: string) =>
  (own: string) => ({
    body: {
      ...{ id, infoUri: `${own}/ui/query.html?${id}`, stats: { state: "RUNNING" }, warnings: [] },
      ...(path !== null && { nextUri: `${host ?? own}${path}` }),
      ...rest,
    },
  });
const error = (errorName: string, message: string, more: object = {}) => ({
  error: { message, errorCode: 1, errorName, errorType: "USER_ERROR", failureInfo: { type: "x" }, ...more },
});

const limits: Limits = { timeoutMs: 5_000, maxRows: 10, maxBytes: 10_000 };
const read = async (
  sql: string,
  parameters: Statement["parameters"] = [],
  changes: Partial<Limits> = {},
  connection: Partial<ConnectionWithPassword> = {},
) => {
  const source = trino.open({ ...target, ...connection });
  try {
    return await source.session((session) => session.read({ sql, parameters }, { ...limits, ...changes }));
  } finally {
    await source.close();
  }
};
const methods = () => asked.map(({ method, path }) => `${method} ${path}`);

describe("a statement", () => {
  test("is posted, and its answers are followed to the last one", async () => {
    replies = [
      page(queued),
      page(executing(0)),
      page(executing(1), { columns, data: [["9007199254740993", "a"]] }),
      page(executing(2), { columns }),
      page(null, { columns, data: [["2", "b"]] }),
    ];
    expect(await read("select id, name from orders", ["x"])).toEqual({
      columns: [
        { name: "id", type: "bigint" },
        { name: "name", type: "varchar(10)" },
      ],
      rows: [
        ["9007199254740993", "a"],
        ["2", "b"],
      ],
      ...{ truncated: false, rowCount: 2 },
    });
    expect(methods()).toEqual([
      "POST /v1/statement",
      ...[queued, executing(0), executing(1), executing(2)].map((path) => `GET ${path}`),
    ]);
    const [{ headers = {}, body = "" } = {}] = asked;
    expect(body).toBe("execute immediate 'select id, name from orders' using 'x'");
    expect(headers).toMatchObject({
      "x-trino-user": "reader",
      "x-trino-catalog": "lake",
      "x-trino-schema": "sales",
      "x-trino-source": "Plumbline",
      "x-trino-time-zone": "UTC",
      "x-trino-session": "query_max_run_time=6000ms",
      "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
    });
    expect(headers.authorization).toBeUndefined();
  });

  test("is asked about at the data source's own host, wherever an answer leads", async () => {
    let strangers = 0;
    const stranger = createServer((_, response) => {
      strangers++;
      response.end("{}");
    });
    stranger.listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    try {
      replies = [page(queued, {}, elsewhere), page(null, { columns, data: [[1, "a"]] })];
      expect((await read("select 1")).rows).toEqual([["1", "a"]]);
      expect(methods()).toEqual(["POST /v1/statement", `GET ${queued}`]);
      expect(strangers).toBe(0);
    } finally {
      stranger.close();
    }
  });

  test.each(["/v1/query/x", "/ui/api/query", "/v1/statement/../query/x"])(
    "is given up if an answer leads to %s",
    async (path) => {
      replies = [page(path)];
      await expect(read("select 1")).rejects.toMatchObject({
        kind: "unreachable",
        message: "The server did not respond as Trino does",
      });
      expect(methods()).toEqual(["POST /v1/statement"]);
    },
  );

  test("is asked about again while the server is busy", async () => {
    replies = [
      { status: 503, body: "busy" },
      page(queued),
      { status: 429, body: "" },
      { status: 502, body: "<html>" },
      page(null, { columns, data: [] }),
    ];
    expect(await read("select 1")).toMatchObject({ rowCount: 0 });
    expect(methods()).toEqual([
      ...["POST /v1/statement", "POST /v1/statement"],
      ...[`GET ${queued}`, `GET ${queued}`, `GET ${queued}`],
    ]);
  });

  test("is cancelled when enough has been read, and when a page is too large", async () => {
    const data = Array.from({ length: 20 }, (_, at) => [at, "a"]);
    replies = [page(queued), page(executing(1), { columns, data })];
    expect(await read("select 1")).toMatchObject({ truncated: true, rowCount: 10 });
    expect(methods().at(-1)).toBe(`DELETE ${executing(1)}`);
    replies = [page(queued, { columns, data: [[1, "a"]] }), { body: "x".repeat(9 * 1024 * 1024) }];
    expect(await read("select 1")).toMatchObject({ truncated: true, rowCount: 1 });
    expect(methods().at(-1)).toBe(`DELETE ${queued}`);
    replies = [page(queued), { body: "x".repeat(9 * 1024 * 1024) }];
    await expect(read("select 1")).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
  });

  test("is cancelled at its time limit while the server is silent", async () => {
    replies = [page(queued), { hangs: true }];
    await expect(read("select 1", [], { timeoutMs: 200 })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.2 s and was cancelled",
    });
    expect(methods()).toEqual(["POST /v1/statement", `GET ${queued}`, `DELETE ${queued}`]);
  });

  test.each(["aborted", "closed"] as const)(
    "that is %s before the server has answered is cancelled when it does",
    async (how) => {
      const held = Promise.withResolvers<ServerResponse>();
      const slow = createServer((request, response) => {
        const { method = "", url = "", headers } = request;
        asked.push({ method, path: url, headers, body: "" });
        if (method === "POST") held.resolve(response);
        else response.writeHead(204).end();
      });
      slow.listen(0, "127.0.0.1");
      await once(slow, "listening");
      const source = trino.open({ ...target, port: (slow.address() as AddressInfo).port });
      const stop = new AbortController();
      const running = source.session((session) =>
        session.read({ sql: "select 1", parameters: [] }, { ...limits, signal: stop.signal }),
      );
      const ended = expect(running).rejects.toThrow(how === "aborted" ? "Enough" : "closed or changed");
      const response = await held.promise;
      if (how === "aborted") stop.abort(new Error("Enough"));
      const closing = source.close();
      await ended;
      response.end(JSON.stringify(page(queued)("http://x").body));
      await closing;
      expect(methods()).toEqual(["POST /v1/statement", `DELETE ${queued}`]);
      slow.closeAllConnections();
      slow.close();
    },
  );

  test("runs without a limit on the server if the login may not set one, and later ones as well", async () => {
    const denied = error(
      "PERMISSION_DENIED",
      "Access Denied: Cannot set system session property query_max_run_time",
    );
    replies = [
      ...[page(queued), page(null, denied)],
      ...[page(queued), page(null, { columns, data: [[1, "a"]] })],
      page(null, { columns, data: [[2, "b"]] }),
    ];
    const source = trino.open(target);
    try {
      const one = () =>
        source.session((session) => session.read({ sql: "select 1", parameters: [] }, limits));
      expect((await one()).rows).toEqual([["1", "a"]]);
      expect((await one()).rows).toEqual([["2", "b"]]);
    } finally {
      await source.close();
    }
    const posted = asked.filter(({ method }) => method === "POST");
    expect(posted.map(({ headers }) => headers["x-trino-session"])).toEqual([
      "query_max_run_time=6000ms",
      undefined,
      undefined,
    ]);
  });
});

describe("a failure", () => {
  test.each([
    [
      error("COLUMN_NOT_FOUND", "line 1:8: Column 'nope' cannot be resolved", {
        errorLocation: { lineNumber: 1, columnNumber: 8 },
      }),
      { kind: "statement", message: "Column 'nope' cannot be resolved", sentPlace: { line: 1, column: 8 } },
    ],
    [
      error("SYNTAX_ERROR", "line 1:8: mismatched input 'from'. Expecting: '*', 'ALL'"),
      { kind: "statement", message: "mismatched input 'from'", sentPlace: null },
    ],
    [
      error("EXCEEDED_TIME_LIMIT", "Query exceeded maximum time limit of 300.00ms"),
      { kind: "statement", message: "The statement was ended by a time limit of the server" },
    ],
    [
      error("ADMINISTRATIVELY_KILLED", "Query was ended. Message: no"),
      { kind: "statement", message: "The statement was cancelled on the server" },
    ],
    [
      error("SERVER_SHUTTING_DOWN", "Server is shutting down"),
      { kind: "unreachable", message: "The server is shutting down" },
    ],
    [error("GENERIC_INTERNAL_ERROR", "first\nsecond"), { kind: "statement", message: "first" }],
  ])("%j is told as it is", async (body, failure) => {
    replies = [page(queued), page(null, body)];
    await expect(read("select nope")).rejects.toMatchObject(failure);
  });

  test.each([
    [{ status: 401, body: "" }, "The login failed: user or password is wrong"],
    [{ status: 403, body: "no" }, "The server refuses this user (HTTP 403)"],
    [
      { status: 403, body: "Error 403 Forbidden: Authentication over HTTP is not enabled" },
      "The server takes logins only over TLS: turn on TLS, and use its port",
    ],
    [{ status: 404, body: "<html>" }, "The server does not know the statement (HTTP 404)"],
    [
      { status: 302, headers: { location: "http://169.254.169.254/" } },
      "The server redirects to another address, which is not followed (HTTP 302)",
    ],
    [{ status: 200, body: "<html>" }, "The server did not respond as Trino does"],
    [{ status: 200, body: { columns } }, "The server did not respond as Trino does"],
    [{ status: 500, body: "boom" }, "The server did not respond as Trino does (HTTP 500)"],
  ])("%j is no answer", async (reply, message) => {
    replies = [reply];
    await expect(read("select 1")).rejects.toMatchObject({ kind: "unreachable", message });
    expect(asked).toHaveLength(1);
  });

  test("a password is not sent without TLS, and nothing else is", async () => {
    await expect(read("select 1", [], {}, { password: "secret" })).rejects.toMatchObject({
      kind: "unreachable",
      message: "Trino takes a password only over TLS: turn on TLS, or leave the password empty",
    });
    expect(asked).toEqual([]);
  });

  test.each(["a\r\nx-trino-user: admin", "漢", "a\u0000"])(
    "the user %j fits no header and is refused",
    async (user) => {
      await expect(read("select 1", [], {}, { user })).rejects.toMatchObject({
        kind: "unreachable",
        message: "Trino takes only Latin characters in the user, the password, the catalog, and the schema",
      });
      expect(asked).toEqual([]);
    },
  );

  test("a connection that is killed in the middle fails its statement, and the next one works", async () => {
    const source = trino.open(target);
    const one = () => source.session((session) => session.read({ sql: "select 1", parameters: [] }, limits));
    try {
      replies = [page(queued), { hangs: true }];
      const lost = expect(one()).rejects.toMatchObject({ kind: "unreachable" });
      await until(async () => asked.length === 2);
      server.closeAllConnections();
      await lost;
      replies = [page(null, { columns, data: [[1, "a"]] })];
      expect((await one()).rows).toEqual([["1", "a"]]);
    } finally {
      await source.close();
    }
  });
});

test("over TLS, a password is sent in each request, and the user not named beside it", async () => {
  const secure = createSecure(issuedForLocalhost, onRequest);
  secure.listen(0, "127.0.0.1");
  await once(secure, "listening");
  const { port } = secure.address() as AddressInfo;
  try {
    replies = [page(queued), page(null, { columns, data: [] })];
    const connection = { host: "localhost", port, ssl: true, trustServerCertificate: true };
    await read(
      "select '漢'",
      [],
      {},
      { ...connection, user: "jürgen", password: "pässword:1", database: "überall" },
    );
    const sent = asked.map(({ headers }) => [
      Buffer.from(String(headers.authorization).replace("Basic ", ""), "base64").toString("latin1"),
      headers["x-trino-user"],
      headers["x-trino-catalog"],
    ]);
    const each = ["jürgen:pässword:1", undefined, "überall"];
    expect(sent).toEqual([each, each]);
    expect(asked[0]?.body).toBe("select '漢'");
  } finally {
    secure.closeAllConnections();
    secure.close();
  }
});
