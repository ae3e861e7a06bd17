import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reachSnowflakeAt } from "../../test/snowflake.ts";
import type { Cost } from "../cost.ts";
import { BudgetSpent, type Limits, type SnowflakeConnectionWithSecret } from "./engine.ts";
import { snowflake } from "./snowflake.ts";

/**
 * The engine against answers as Snowflake's documentation has them: "SQL API reference", "Handling responses", "Handling
 * errors", and "Key-pair authentication: troubleshooting". There is no Snowflake to run here.
 */

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = keys.privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const encrypted = keys.privateKey.export({
  ...{ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "correct horse" },
}) as string;

const target: SnowflakeConnectionWithSecret = {
  ...{ account: "myorg-account123", user: "reader", authentication: "KeyPair", queryTag: "plumbline" },
  ...{
    database: "shop",
    schema: '"Raw data"',
    warehouse: "small",
    role: "plumbline",
    secrets: { privateKey: pem },
  },
};
const limits: Limits = { timeoutMs: 5_000, maxRows: 10, maxBytes: 10_000 };
const handle = "e4ce975e-f7ff-4b5e-b15e-bf25f59371ae";

type Reply = { status: number; body?: unknown; zip?: boolean };
type Asked = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
};
let asked: Asked[] = [];
/** What is answered, in turn; the last one again and again. */
let replies: (Reply | ((asked: Asked) => Reply))[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const one = { method, path: url, headers, body: text === "" ? {} : JSON.parse(text) };
    asked.push(one);
    if (url.endsWith("/cancel")) return response.writeHead(200).end(JSON.stringify(cancelled));
    const next = replies.length > 1 ? replies.shift() : replies[0];
    const { status, body, zip } = (typeof next === "function" ? next(one) : next) ?? { status: 500 };
    const sent = Buffer.from(typeof body === "string" ? body : JSON.stringify(body ?? {}));
    if (zip) response.setHeader("content-encoding", "gzip");
    response.writeHead(status, { "content-type": "application/json" }).end(zip ? gzipSync(sent) : sent);
  });
});

const cancelled = {
  ...{
    code: "000604",
    sqlState: "57014",
    message: "successfully canceled statement",
    statementHandle: handle,
  },
};
const running = {
  status: 202,
  body: {
    ...{ code: "333334", statementHandle: handle, statementStatusUrl: `/api/v2/statements/${handle}` },
    message:
      "Asynchronous execution in progress. Use provided query id to perform query monitoring and management.",
  },
};
const column = (name: string, type: string, more: object = {}) => ({ name, type, nullable: true, ...more });
const results = (
  rowType: object[],
  data: (string | null)[][],
  more: { partitions?: number; numRows?: number } = {},
): Reply => ({
  status: 200,
  body: {
    ...{
      code: "090001",
      sqlState: "00000",
      message: "Statement executed successfully.",
      statementHandle: handle,
    },
    createdOn: 1620151693299,
    resultSetMetaData: {
      ...{ numRows: more.numRows ?? data.length, format: "jsonv2", rowType },
      partitionInfo: Array.from({ length: more.partitions ?? 1 }, () => ({
        rowCount: 1,
        uncompressedSize: 9,
      })),
    },
    data,
  },
});
const failure = (status: number, code: string, message: string): Reply => ({
  status,
  body: { code, message, sqlState: "42000", statementHandle: handle },
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  reachSnowflakeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  replies = [results([column("ONE", "fixed", { precision: 1, scale: 0 })], [["1"]])];
});

const read = async (sql: string, given: Partial<Limits> = {}, connection = target, costs: Cost[] = []) => {
  const source = snowflake.open(connection, { reportCost: async (cost) => void costs.push(cost) });
  try {
    return await source.session((session) => session.read({ sql, parameters: [] }, { ...limits, ...given }));
  } finally {
    await source.close();
  }
};

describe("signing in", () => {
  test("a key pair signs a token for the account and the user, which names the public key", async () => {
    await read("select 1");
    const [{ headers } = asked[0] as Asked] = asked;
    expect(headers["x-snowflake-authorization-token-type"]).toBe("KEYPAIR_JWT");
    const { payload } = await jwtVerify(String(headers.authorization).slice(7), keys.publicKey);
    const der = createPublicKey(keys.privateKey).export({ type: "spki", format: "der" });
    const fingerprint = createHash("sha256").update(der).digest("base64");
    expect(payload).toMatchObject({
      iss: `MYORG-ACCOUNT123.READER.SHA256:${fingerprint}`,
      sub: "MYORG-ACCOUNT123.READER",
    });
    // Snowflake takes no token that is made for more than an hour.
    expect(Number(payload.exp) - Number(payload.iat)).toBeLessThanOrEqual(3600);
  });

  test("a locator with its region signs in by the locator alone", async () => {
    await read("select 1", {}, { ...target, account: "xy12345.eu-central-1" });
    const { payload } = await jwtVerify(String(asked[0]?.headers.authorization).slice(7), keys.publicKey);
    expect(payload.sub).toBe("XY12345.READER");
  });

  test("an encrypted key is read with its passphrase, and without it the message holds nothing of it", async () => {
    const secrets = { privateKey: encrypted, passphrase: "correct horse" };
    await read("select 1", {}, { ...target, secrets });
    expect(asked).toHaveLength(1);
    for (const passphrase of ["wrong", undefined]) {
      const refused = read(
        "select 1",
        {},
        { ...target, secrets: { privateKey: encrypted, ...(passphrase && { passphrase }) } },
      );
      await expect(refused).rejects.toMatchObject({
        kind: "unreachable",
        message: "The private key cannot be read: the passphrase is missing or wrong",
      });
    }
  });

  test.each([
    ["", "There is no private key"],
    ["not a key", "The private key cannot be read: it must be an RSA key in PEM format"],
    [
      generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
        type: "pkcs8",
        format: "pem",
      }) as string,
      "The private key must be an RSA key",
    ],
  ])("a key that is none is refused before anything is sent (%#)", async (privateKey, message) => {
    const refused = read("select 1", {}, { ...target, secrets: { privateKey } });
    await expect(refused).rejects.toMatchObject({ kind: "unreachable", message });
    expect(asked).toEqual([]);
  });

  test("an OAuth access token is sent as it is, and one with a line end is refused", async () => {
    const oauth = { ...target, authentication: "OAuth" as const, secrets: { token: "ver:1-hint:2-ETMsDg" } };
    await read("select 1", {}, oauth);
    expect(asked[0]?.headers).toMatchObject({
      authorization: "Bearer ver:1-hint:2-ETMsDg",
      "x-snowflake-authorization-token-type": "OAUTH",
    });
    const broken = read("select 1", {}, { ...oauth, secrets: { token: "a\r\nx: y" } });
    await expect(broken).rejects.toMatchObject({ kind: "unreachable" });
    expect(asked).toHaveLength(1);
  });
});

test("a statement is one request with a session of its own, in UTC, one statement, and no more rows than are kept", async () => {
  await read("select 1");
  expect(asked[0]).toMatchObject({
    method: "POST",
    path: expect.stringMatching(/^\/api\/v2\/statements\?requestId=[0-9a-f-]{36}&async=true$/),
    body: {
      ...{ statement: "select 1", timeout: 5, database: "SHOP", schema: "Raw data", warehouse: "SMALL" },
      role: "PLUMBLINE",
      parameters: {
        ...{ multi_statement_count: "1", timezone: "UTC", query_tag: "plumbline", rows_per_resultset: "11" },
        binary_output_format: "HEX",
      },
    },
  });
});

test("values are bound with their types", async () => {
  const source = snowflake.open(target);
  const parameters = ["it's", 7, 0.5, true, null];
  await source.session((session) => session.read({ sql: "select ?, ?, ?, ?, ?", parameters }, limits));
  await source.close();
  expect(asked[0]?.body.bindings).toEqual({
    1: { type: "TEXT", value: "it's" },
    2: { type: "FIXED", value: "7" },
    3: { type: "REAL", value: "0.5" },
    4: { type: "BOOLEAN", value: "true" },
    5: { type: "TEXT", value: null },
  });
});

test("a statement is asked for by its handle until it has ended", async () => {
  replies = [running, running, results([column("N", "fixed", { precision: 38, scale: 0 })], [["42"]])];
  expect((await read("select 42 as n")).rows).toEqual([[42]]);
  expect(asked.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(2).fill(`GET /api/v2/statements/${handle}`),
  );
});

test("values are exact, and times are in UTC", async () => {
  const columns: [string, object, string | null, unknown][] = [
    ["fixed", { precision: 38, scale: 0 }, "9007199254740993", "9007199254740993"],
    ["fixed", { precision: 12, scale: 2 }, "10.50", "10.50"],
    ["fixed", { precision: 5, scale: 0 }, "-12", -12],
    ["real", {}, "0.1", 0.1],
    ["real", {}, "NaN", "NaN"],
    ["text", {}, "Ünï – 漢字", "Ünï – 漢字"],
    ["boolean", {}, "true", true],
    ["boolean", {}, "false", false],
    ["date", {}, "18262", "2020-01-01"],
    ["date", {}, "-1", "1969-12-31"],
    ["time", { scale: 9 }, "82919.500000000", "23:01:59.5"],
    ["timestamp_ntz", { scale: 9 }, "1611871777.123456789", "2021-01-28 22:09:37.123456789"],
    ["timestamp_ltz", { scale: 3 }, "1611871777.100000000", "2021-01-28 22:09:37.1"],
    ["timestamp_ntz", { scale: 9 }, "-0.500000000", "1969-12-31 23:59:59.5"],
    ["timestamp_tz", { scale: 9 }, "1616173619.000000000 960", "2021-03-19 17:06:59"],
    // As the documentation shows it.
    ["timestamp_tz", { scale: 9 }, "1616173619000000000 960", "2021-03-19 17:06:59"],
    ["binary", {}, "BEEF", "BEEF"],
    ["variant", {}, '{"a": 9007199254740993}', '{"a": 9007199254740993}'],
    ["text", {}, null, null],
  ];
  replies = [
    results(
      columns.map(([type, more], at) => column(`C${at}`, type, more)),
      [columns.map(([, , value]) => value)],
    ),
  ];
  const result = await read("select *");
  expect(result.rows).toEqual([columns.map(([, , , cell]) => cell)]);
  expect(result.columns.slice(0, 2)).toEqual([
    { name: "C0", type: "NUMBER(38,0)" },
    { name: "C1", type: "NUMBER(12,2)" },
  ]);
  expect([result.columns[11]?.type, result.columns[5]?.type]).toEqual(["TIMESTAMP_NTZ(9)", "VARCHAR"]);
});

describe("limits", () => {
  const names = [column("N", "fixed", { precision: 38, scale: 0 })];

  test("partitions are read until there are enough rows, also compressed ones, and none after that", async () => {
    replies = [
      results(names, [["1"], ["2"]], { partitions: 4, numRows: 8 }),
      { status: 200, body: { data: [["3"], ["4"]] }, zip: true },
      { status: 200, body: { data: [["5"], ["6"]] }, zip: true },
    ];
    const result = await read("select n", { maxRows: 5 });
    expect(result).toMatchObject({ rows: [[1], [2], [3], [4], [5]], truncated: true, rowCount: 5 });
    expect(asked.map(({ path }) => /partition=(\d)/.exec(path)?.[1])).toEqual([undefined, "1", "2"]);
  });

  test("rows beyond the limit are counted on request, without being read", async () => {
    replies = [results(names, [["1"], ["2"]], { partitions: 9, numRows: 1_000_000 })];
    const result = await read("select n", { maxRows: 1, countAll: true });
    expect(result).toMatchObject({ rows: [[1]], truncated: true, rowCount: 1_000_000 });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.body.parameters).not.toHaveProperty("rows_per_resultset");
  });

  test("rows and bytes are limited, and a single row that is larger is an error", async () => {
    const texts = [column("T", "text")];
    replies = [results(texts, [["a".repeat(600)], ["b".repeat(600)]])];
    expect(await read("select t", { maxBytes: 1000 })).toMatchObject({ truncated: true, rowCount: 1 });
    replies = [results(texts, [["a".repeat(2000)]])];
    await expect(read("select t", { maxBytes: 1000 })).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
  });

  test("an aborted statement is cancelled on the server", async () => {
    replies = [running];
    const stopping = new AbortController();
    const reading = read("select pg", { signal: stopping.signal });
    reading.catch(() => {});
    await expect.poll(() => asked.length).toBeGreaterThan(1);
    stopping.abort(new Error("no longer wanted"));
    await expect(reading).rejects.toThrow("no longer wanted");
    await expect.poll(() => asked.at(-1)?.path).toBe(`/api/v2/statements/${handle}/cancel`);
  });

  test("a statement ends at its time limit, and is cancelled on the server", async () => {
    replies = [running];
    await expect(read("select 1", { timeoutMs: 200 })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.2 s and was cancelled",
    });
    await expect.poll(() => asked.at(-1)?.path).toBe(`/api/v2/statements/${handle}/cancel`);
  });

  test("closing the source cancels what runs", async () => {
    replies = [running];
    const source = snowflake.open(target);
    const reading = source.session((session) => session.read({ sql: "select 1", parameters: [] }, limits));
    reading.catch(() => {});
    await expect.poll(() => asked.length).toBeGreaterThan(1);
    await source.close();
    await expect(reading).rejects.toMatchObject({ kind: "unreachable" });
    await expect.poll(() => asked.at(-1)?.path).toBe(`/api/v2/statements/${handle}/cancel`);
  });

  test("rejects writes and several statements before anything is sent", async () => {
    await expect(read("select 1; select 2")).rejects.toMatchObject({ kind: "refused" });
    await expect(read("delete from orders")).rejects.toMatchObject({ kind: "refused" });
    expect(asked).toEqual([]);
  });
});

test.each([
  [
    401,
    "390144",
    "JWT token is invalid. [0ce9eb56-821d-4ca9-a774-04ae89a0cf5a]",
    "unreachable",
    /key pair is invalid/,
  ],
  [
    401,
    "390114",
    "Authentication token has expired. The user must authenticate again.",
    "unreachable",
    /has expired/,
  ],
  [401, "390318", "OAuth access token expired. [abc]", "unreachable", /OAuth access token has expired/],
  [401, "390303", "Invalid OAuth access token. [abc]", "unreachable", /OAuth access token is invalid/],
  [
    ...[403, "390422", "Incoming request with IP/Token 1.2.3.4 is not allowed to access Snowflake."],
    ...["unreachable", /network policy/],
  ],
  [
    ...[
      422,
      "002003",
      "SQL compilation error:\nObject 'SHOP.PUBLIC.NOWHERE' does not exist or not authorized.",
    ],
    ...["statement", /^Object 'SHOP.PUBLIC.NOWHERE' does not exist or not authorized\.$/],
  ],
  [
    ...[422, "000904", "SQL compilation error: error line 2 at position 7\ninvalid identifier 'X'"],
    ...["statement", /^invalid identifier 'X'$/],
  ],
  [422, "000604", "SQL execution canceled", "statement", /was cancelled on the server/],
  [
    ...[
      408,
      "000630",
      "Statement reached its statement or warehouse timeout of 5 second(s) and was canceled.",
    ],
    ...["timeout", /longer than 5 s/],
  ],
  [
    ...[422, "000606", "No active warehouse selected in the current session."],
    ...["unreachable", /No warehouse is selected/],
  ],
] as [number, string, string, string, RegExp][])(
  "%d %s is told as it is",
  async (status, code, message, kind, told) => {
    replies = [failure(status, code, message)];
    const error = await read("select 1").catch((error) => error);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(told) });
    // Addresses and identifiers of the server's own are not passed on.
    expect(error.message).not.toMatch(/1\.2\.3\.4|0ce9eb56/);
  },
);

test("the place of an error is counted from 1", async () => {
  replies = [
    failure(422, "000904", "SQL compilation error: error line 2 at position 7\ninvalid identifier 'X'"),
  ];
  const error = await read("select 1").catch((error) => error);
  expect(error.sentPlace).toEqual({ line: 2, column: 8 });
});

test("a page that is no answer of Snowflake's says that there is no such account", async () => {
  replies = [{ status: 404, body: "<html>Not Found</html>" }];
  await expect(read("select 1")).rejects.toMatchObject({
    kind: "unreachable",
    message: "There is no such account: check the account identifier",
  });
});

test("a server that is busy is asked again", async () => {
  replies = [{ status: 429 }, results([column("ONE", "fixed", { precision: 1, scale: 0 })], [["1"]])];
  expect((await read("select 1")).rows).toEqual([[1]]);
  const [first = "", again] = asked.map(({ path }) => path);
  expect(again).toBe(`${first}&retry=true`);
});

describe("cost", () => {
  test("each statement reports its seconds, also one that failed; signing in costs nothing", async () => {
    const costs: Cost[] = [];
    await read("select 1", {}, target, costs);
    replies = [
      failure(422, "002003", "SQL compilation error:\nObject 'X' does not exist or not authorized."),
    ];
    await read("select 1 from x", {}, target, costs).catch(() => {});
    expect(costs).toEqual([
      { unit: "seconds", amount: expect.any(Number) },
      { unit: "seconds", amount: expect.any(Number) },
    ]);
    for (const { amount } of costs) expect(amount > 0 && amount < 5).toBe(true);
    replies = [failure(401, "390144", "JWT token is invalid.")];
    await read("select 1", {}, target, costs).catch(() => {});
    await read("delete from x", {}, target, costs).catch(() => {});
    expect(costs).toHaveLength(2);
  });

  test("a statement ends when the budget does, and says so", async () => {
    replies = [
      failure(
        408,
        "000630",
        "Statement reached its statement or warehouse timeout of 2 second(s) and was canceled.",
      ),
    ];
    const error = await read("select 1", { maxCost: 2 }).catch((error) => error);
    expect(asked[0]?.body.timeout).toBe(2);
    expect(error).toBeInstanceOf(BudgetSpent);
    expect(error.message).toMatch(/daily budget of this data source is spent/);
  });

  test("plans are made without running, cost nothing, and are a tree", async () => {
    const costs: Cost[] = [];
    const source = snowflake.open(target, { reportCost: async (cost) => void costs.push(cost) });
    const plan = {
      GlobalStats: { partitionsTotal: 2, partitionsAssigned: 1, bytesAssigned: 1024 },
      Operations: [
        [
          { id: 0, operation: "Result", expressions: ["ORDERS.ID"] },
          {
            ...{ id: 1, parentOperators: [0], operation: "TableScan", objects: ["SHOP.PUBLIC.ORDERS"] },
            ...{ partitionsTotal: 2, partitionsAssigned: 1, bytesAssigned: 1024 },
          },
        ],
      ],
    };
    replies = [results([column("content", "text")], [[JSON.stringify(plan)]])];
    const statement = { sql: "select id from orders", parameters: [] };
    const root = await source.session(
      (session) => session.explain?.(statement, { timeoutMs: 5_000 }) ?? Promise.reject(),
    );
    expect(root).toEqual({
      ...{ operation: "Result", detail: "ORDERS.ID", rows: null, cost: null },
      inputs: [
        {
          ...{ operation: "TableScan", rows: null, cost: null, inputs: [] },
          detail: "SHOP.PUBLIC.ORDERS, reads 1 of 2 partitions",
        },
      ],
    });
    expect(asked[0]?.body.statement).toBe("explain using json select id from orders");
    await source.close();
    expect(costs).toEqual([]);
  });
});

test("tables, keys, and references are introspected in three statements", async () => {
  const text = (name: string) => column(name, "text");
  replies = [
    ({ body }) => {
      expect(body.statement).toMatch(/information_schema\.columns/);
      const names = Array.from({ length: 13 }, (_, at) => text(`C${at}`));
      return results(
        [
          ...names.slice(0, 3),
          column("R", "real"),
          ...names.slice(4, 7),
          column("B", "boolean"),
          text("X"),
          column("K", "boolean"),
          ...names.slice(10),
        ],
        [
          [
            "PUBLIC",
            "CUSTOMERS",
            "Table",
            "3",
            "Who buys",
            "ID",
            "NUMBER(38,0)",
            "false",
            null,
            "false",
            null,
            null,
            null,
          ],
          [
            "PUBLIC",
            "ORDERS",
            "Table",
            "4",
            null,
            "CUSTOMER_ID",
            "NUMBER(38,0)",
            "true",
            "Who",
            "false",
            null,
            null,
            null,
          ],
        ],
      );
    },
    results(["created_on", "database_name", "schema_name", "table_name", "column_name"].map(text), [
      ["0", "SHOP", "PUBLIC", "CUSTOMERS", "ID"],
    ]),
    results(
      [
        "pk_schema_name",
        "pk_table_name",
        "pk_column_name",
        "fk_schema_name",
        "fk_table_name",
        "fk_column_name",
      ].map(text),
      [["PUBLIC", "CUSTOMERS", "ID", "PUBLIC", "ORDERS", "CUSTOMER_ID"]],
    ),
  ];
  const source = snowflake.open(target);
  const { items } = await source.introspect();
  await source.close();
  expect(asked).toHaveLength(3);
  expect(items).toMatchObject([
    {
      schemaName: "PUBLIC",
      tables: [
        {
          ...{ tableName: "CUSTOMERS", kind: "Table", rowEstimate: 3, comment: "Who buys" },
          columns: [{ name: "ID", type: "NUMBER(38,0)", nullable: false, isPrimaryKey: true }],
        },
        {
          tableName: "ORDERS",
          columns: [
            {
              ...{ name: "CUSTOMER_ID", nullable: true, comment: "Who", isPrimaryKey: false },
              references: { schemaName: "PUBLIC", tableName: "CUSTOMERS", columnName: "ID" },
            },
          ],
        },
      ],
    },
  ]);
});

test.each([
  [
    "PLUMBLINE",
    [
      ["SELECT", "TABLE"],
      ["USAGE", "WAREHOUSE"],
    ],
    false,
  ],
  [
    "PLUMBLINE",
    [
      ["SELECT", "TABLE"],
      ["INSERT", "TABLE"],
    ],
    true,
  ],
  ["PLUMBLINE", [["OWNERSHIP", "SCHEMA"]], true],
  ["PLUMBLINE", [["USAGE", "ROLE"]], undefined],
  ["ACCOUNTADMIN", [], true],
] as [string, string[][], boolean | undefined][])(
  "a login as %s with %j can write: %s",
  async (role, grants, can) => {
    replies = [
      results([column("V", "text"), column("R", "text"), column("W", "text")], [["9.30.2", role, "SMALL"]]),
      results(
        [column("created_on", "text"), column("privilege", "text"), column("granted_on", "text")],
        grants.map((each) => ["0", ...each]),
      ),
    ];
    const source = snowflake.open(target);
    const tested = await source.test();
    await source.close();
    expect(tested).toEqual({
      serverVersion: "Snowflake 9.30.2",
      ...(can !== undefined && { canWrite: can }),
    });
    expect(asked[1]?.body.statement).toBe(`show grants to role "${role}"`);
  },
);
