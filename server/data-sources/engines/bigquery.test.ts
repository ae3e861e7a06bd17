import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { env } from "../../env.ts";
import { until } from "../../test/listening.ts";
import { bigquery as dialect } from "../dialects/bigquery.ts";
import { aBigQuery, failure, keyFile, planned, rowsOf, type Script } from "./bigquery/stand-in.fixture.ts";
import { bigquery } from "./bigquery.ts";
import type { BigQueryConnectionWithKey, Limits, Source, SourceOptions, Statement } from "./engine.ts";

/** BigQuery's API at the wire, as Google describes it. What runs SQL is in bigquery-emulator.test.ts. */

const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
const closing: (() => Promise<void>)[] = [];

beforeAll(() => {
  env().OUTBOUND_ALLOW = "127.0.0.1";
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function connected(
  script: Partial<Script> = {},
  changes: Partial<BigQueryConnectionWithKey> = {},
  options: SourceOptions = {},
) {
  const api = await aBigQuery(script);
  const source = bigquery.open({ ...api.connection, ...changes }, options);
  closing.push(async () => {
    await source.close();
    await api.close();
  });
  return { ...api, source };
}

const readOn = (source: Source, sql: string, limits: Partial<Limits> = {}, more: Partial<Statement> = {}) =>
  source.session((session) => session.read({ sql, parameters: [], ...more }, { ...ample, ...limits }));

describe("signing in", () => {
  test("an assertion signed by the key is exchanged for a token, once", async () => {
    const { source, assertions, asked, connection } = await connected();
    await readOn(source, "select 7 as n");
    await readOn(source, "select 7 as n");
    expect(assertions).toHaveLength(1);
    const [{ payload, header } = { payload: {}, header: {} }] = assertions;
    expect(header).toMatchObject({ alg: "RS256", kid: "key-1" });
    expect(payload).toMatchObject({
      iss: "plumbline@acme-dw.iam.gserviceaccount.com",
      scope: "https://www.googleapis.com/auth/bigquery",
      // Of an endpoint that is not Google's: Google would not accept it.
      aud: `${connection.endpoint}/token`,
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
    expect(new Set(asked.map(({ token }) => token))).toEqual(new Set(["token-1"]));
  });

  test("a token that is no longer accepted is replaced once", async () => {
    const refused = failure(401, "authError", "Request had invalid authentication credentials.");
    const { source, assertions } = await connected({
      dryRun: ({ token }) => (token === "token-1" ? refused : planned()),
    });
    expect((await readOn(source, "select 7 as n")).rows).toEqual([["7"]]);
    expect(assertions).toHaveLength(2);
    const never = await connected({ dryRun: () => refused });
    await expect(readOn(never.source, "select 7 as n")).rejects.toMatchObject({
      kind: "unreachable",
      message: "The login failed: BigQuery did not accept the token",
    });
  });

  test("the addresses in a key file are never used, and neither is another cloud's domain", async () => {
    // Both addresses of the key file lead to a port on which nothing listens.
    const { source } = await connected();
    expect(await source.test()).toEqual({ serverVersion: "BigQuery" });
    const elsewhere = await connected(
      {},
      { serviceAccountKey: keyFile({ universe_domain: "evil.example" }) },
    );
    await expect(elsewhere.source.test()).rejects.toMatchObject({
      message: "The service account key cannot be used: it is for another cloud than Google's public one",
    });
    expect(elsewhere.asked).toEqual([]);
  });

  test.each([
    ["", "A service account key is required"],
    ["not JSON -----BEGIN", "The service account key cannot be used: it is not JSON"],
    ["[]", "The service account key cannot be used: it must be an object"],
    [
      keyFile({ type: "authorized_user" }),
      'The service account key cannot be used: its type must be "service_account"',
    ],
    [keyFile({ client_email: undefined }), "The service account key cannot be used: client_email is missing"],
    [
      keyFile({ private_key: "-----BEGIN RSA PRIVATE KEY-----" }),
      "The service account key cannot be used: its private_key is not an RSA key in PKCS #8",
    ],
  ])(
    "a key that cannot be used says why, and shows nothing of itself: %#",
    async (serviceAccountKey, message) => {
      const endpoint = serviceAccountKey === "" ? undefined : "http://127.0.0.1:1";
      const source = bigquery.open({
        ...{ billingProject: "acme-dw", maxBytesBilled: 10_000_000, serviceAccountKey },
        ...(endpoint !== undefined && { endpoint }),
      });
      await expect(source.test()).rejects.toMatchObject({ kind: "unreachable", message });
    },
  );

  test("a key that was deleted says so, without its text", async () => {
    const { source } = await connected({
      token: () => ({
        status: 400,
        body: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
      }),
    });
    await expect(source.test()).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringMatching(/^The login failed: the service account key is not accepted/),
    });
  });

  test("an endpoint that operators did not allow is not connected to", async () => {
    const { source, asked } = await connected();
    env().OUTBOUND_ALLOW = undefined;
    await expect(source.test()).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("OUTBOUND_ALLOW"),
    });
    env().OUTBOUND_ALLOW = "127.0.0.1";
    expect(asked).toEqual([]);
  });
});

describe("a statement", () => {
  test("is a dry run first, and then a job with a limit on what it bills", async () => {
    const { source, asked } = await connected(
      {},
      { dataProject: "acme-data", dataset: "shop", location: "EU" },
    );
    const sql =
      "select n from orders where code = @p1 and n < @p2 and share < @p3 and gone = @p4 and note = @p5";
    await readOn(source, sql, { timeoutMs: 4_999.5 }, { parameters: ["it's", 5, 0.5, true, null] });
    const [dry, started] = asked;
    const query = {
      ...{ query: sql, useLegacySql: false, parameterMode: "NAMED" },
      defaultDataset: { projectId: "acme-data", datasetId: "shop" },
      connectionProperties: [
        { key: "time_zone", value: "UTC" },
        { key: "dataset_project_id", value: "acme-data" },
      ],
      queryParameters: [
        { name: "p1", parameterType: { type: "STRING" }, parameterValue: { value: "it's" } },
        { name: "p2", parameterType: { type: "INT64" }, parameterValue: { value: "5" } },
        { name: "p3", parameterType: { type: "FLOAT64" }, parameterValue: { value: "0.5" } },
        { name: "p4", parameterType: { type: "BOOL" }, parameterValue: { value: "true" } },
        { name: "p5", parameterType: { type: "STRING" }, parameterValue: { value: null } },
      ],
    };
    expect(dry?.body).toEqual({
      jobReference: { projectId: "acme-dw", location: "EU" },
      configuration: { dryRun: true, query },
    });
    expect(started?.path).toBe("/bigquery/v2/projects/acme-dw/jobs");
    expect(started?.body).toEqual({
      jobReference: {
        projectId: "acme-dw",
        location: "EU",
        jobId: expect.stringMatching(/^plumbline_[0-9a-f-]{36}$/),
      },
      configuration: {
        jobTimeoutMs: "5000",
        labels: { application: "plumbline" },
        query: { ...query, maximumBytesBilled: "10000000000" },
      },
    });
  });

  test.each(["INSERT", "SCRIPT", "CREATE_TABLE_AS_SELECT", "EXPORT_DATA", ""])(
    "that BigQuery takes for %s is not run, even if it passed the gate",
    async (statementType) => {
      const { source, started } = await connected({ dryRun: () => planned({ statementType }) });
      await expect(readOn(source, "select 1")).rejects.toMatchObject({ kind: "refused" });
      expect(started()).toEqual([]);
    },
  );

  test("that would read too much is not run, and says how much it would be", async () => {
    const { source, started } = await connected({
      dryRun: () => planned({ totalBytesProcessed: "3200000000000" }),
    });
    await expect(readOn(source, "select * from logs")).rejects.toMatchObject({
      kind: "statement",
      message: expect.stringMatching(
        /^Not run: it would read 3\.2 TB, more than the 10 GB that this data source allows for a statement/,
      ),
    });
    expect(started()).toEqual([]);
  });

  test("of which only an upper bound is known is left to BigQuery, which bills nothing if it refuses", async () => {
    const bound = { totalBytesProcessed: "3200000000000", totalBytesProcessedAccuracy: "UPPER_BOUND" };
    const refused = failure(
      400,
      "bytesBilledLimitExceeded",
      "Query exceeded limit for bytes billed: 10000000000. 3200000000000 or higher required.",
    );
    const { source, started } = await connected({ dryRun: () => planned(bound), page: () => refused });
    await expect(readOn(source, "select * from logs")).rejects.toMatchObject({
      kind: "statement",
      message: expect.stringMatching(/^Not run: it would bill more than the 10 GB/),
    });
    expect(started()).toHaveLength(1);
  });

  test("may bill no more than what is left of the budget", async () => {
    const { source, started } = await connected();
    await readOn(source, "select 1", { maxCost: 20_000_000.9 });
    expect(started()[0]?.body.configuration?.query?.maximumBytesBilled).toBe("20000000");
    await expect(readOn(source, "select 1", { maxCost: 999 })).rejects.toMatchObject({
      message: expect.stringMatching(/left of the data source's budget for today/),
    });
  });

  test("reports what it billed, also when it failed", async () => {
    const reportCost = vi.fn(async () => {});
    const { source } = await connected({}, {}, { reportCost });
    await readOn(source, "select 1");
    expect(reportCost.mock.calls).toEqual([[{ unit: "bytes", amount: 10_485_760 }]]);
    const failing = await connected(
      { page: () => failure(400, "resourcesExceeded", "Resources exceeded during query execution") },
      {},
      { reportCost },
    );
    await expect(readOn(failing.source, "select 1")).rejects.toMatchObject({ kind: "statement" });
    expect(reportCost).toHaveBeenCalledTimes(2);
  });

  test("a check is the dry run alone, with the bytes that it would read", async () => {
    const tables = [{ projectId: "acme-dw", datasetId: "shop", tableId: "orders" }];
    const { source, started } = await connected({ dryRun: () => planned({ referencedTables: tables }) });
    const statement = { sql: "select * from shop.orders", parameters: [] };
    const checked = await source.session(async (session) =>
      session.check?.(statement, { timeoutMs: 1000, estimates: true }),
    );
    expect(checked).toEqual({ scans: true, estimatedBytes: 1000 });
    expect(
      await source.session(async (session) => session.explain?.(statement, { timeoutMs: 1000 })),
    ).toEqual({
      ...{ operation: "Query", detail: "reads 1 kB", rows: null, cost: null },
      inputs: [{ operation: "Table", detail: "acme-dw.shop.orders", rows: null, cost: null, inputs: [] }],
    });
    expect(started()).toEqual([]);
  });
});

describe("values", () => {
  test("are exact: what JavaScript would round or convert is text, with times in UTC", async () => {
    const fields = [
      { name: "big", type: "INTEGER", mode: "NULLABLE" },
      { name: "price", type: "NUMERIC", mode: "NULLABLE", precision: "10", scale: "2" },
      { name: "wide", type: "BIGNUMERIC", mode: "NULLABLE" },
      { name: "share", type: "FLOAT", mode: "NULLABLE" },
      { name: "none", type: "FLOAT", mode: "NULLABLE" },
      { name: "far", type: "FLOAT", mode: "NULLABLE" },
      { name: "yes", type: "BOOLEAN", mode: "NULLABLE" },
      { name: "moment", type: "TIMESTAMP", mode: "NULLABLE" },
      { name: "early", type: "TIMESTAMP", mode: "NULLABLE" },
      { name: "local", type: "DATETIME", mode: "NULLABLE" },
      { name: "day", type: "DATE", mode: "NULLABLE" },
      { name: "clock", type: "TIME", mode: "NULLABLE" },
      { name: "bytes", type: "BYTES", mode: "NULLABLE" },
      { name: "json", type: "JSON", mode: "NULLABLE" },
      { name: "nothing", type: "STRING", mode: "NULLABLE" },
      {
        ...{ name: "both", type: "RECORD", mode: "NULLABLE" },
        fields: [
          { name: "id", type: "INTEGER", mode: "NULLABLE" },
          { name: "tags", type: "STRING", mode: "REPEATED" },
        ],
      },
      { name: "list", type: "NUMERIC", mode: "REPEATED" },
    ];
    const values = [
      ...[
        "9007199254740993",
        "1.10",
        "0.12345678901234567890123456789012345678",
        "0.1",
        "NaN",
        "-inf",
        "true",
      ],
      ...[
        "1711845000123456",
        "-1",
        "2024-03-31T02:30:00.5",
        "2024-03-31",
        "02:30:00",
        "AP8=",
        '{"a":1.0}',
        null,
      ],
      { f: [{ v: "9007199254740993" }, { v: [{ v: 'a"b' }] }] },
      [{ v: "1.50" }],
    ];
    const { source } = await connected({
      page: () => ({ body: { jobComplete: true, schema: { fields }, totalRows: "1", rows: rowsOf(values) } }),
    });
    const { columns, rows } = await readOn(source, "select 1");
    expect(columns.map(({ name, type }, at) => [name, type, rows[0]?.[at]])).toEqual([
      ["big", "INT64", "9007199254740993"],
      ["price", "NUMERIC(10, 2)", "1.10"],
      ["wide", "BIGNUMERIC", "0.12345678901234567890123456789012345678"],
      ["share", "FLOAT64", 0.1],
      ["none", "FLOAT64", "NaN"],
      ["far", "FLOAT64", "-Infinity"],
      ["yes", "BOOL", true],
      ["moment", "TIMESTAMP", "2024-03-31 00:30:00.123456+00"],
      ["early", "TIMESTAMP", "1969-12-31 23:59:59.999999+00"],
      ["local", "DATETIME", "2024-03-31 02:30:00.5"],
      ["day", "DATE", "2024-03-31"],
      ["clock", "TIME", "02:30:00"],
      ["bytes", "BYTES", "0x00ff"],
      ["json", "JSON", '{"a":1.0}'],
      ["nothing", "STRING", null],
      ["both", "STRUCT<id INT64, tags ARRAY<STRING>>", '{"id":9007199254740993,"tags":["a\\"b"]}'],
      ["list", "ARRAY<NUMERIC>", "[1.50]"],
    ]);
  });
});

/** A result of so many rows, in pages of as many as are asked for. */
const pagesOf =
  (total: number, value = "x".repeat(100)) =>
  ({ query }: { query: URLSearchParams }) => {
    const from = Number(query.get("pageToken") ?? 0);
    const count = Math.min(Number(query.get("maxResults")), total - from);
    return {
      body: {
        ...{ jobComplete: true, totalRows: String(total) },
        schema: { fields: [{ name: "x", type: "STRING", mode: "NULLABLE" }] },
        rows: rowsOf(...Array(count).fill([value])),
        ...(from + count < total && { pageToken: String(from + count) }),
      },
    };
  };

describe("limits", () => {
  test("rows and bytes are limited, page by page, and counted beyond on request", async () => {
    const { source, asked } = await connected({ page: pagesOf(1_000_000) });
    const few = await readOn(source, "select x", { maxRows: 1500 });
    expect(few).toMatchObject({ truncated: true, rowCount: 1500 });
    expect(asked.filter(({ path }) => path.includes("/queries/"))).toHaveLength(2);
    // A row weighs 100 + 4 bytes.
    const light = await readOn(source, "select x", { maxRows: 1_000_000, maxBytes: 104 * 3000 });
    expect(light).toMatchObject({ truncated: true, rowCount: 3000 });
    const counted = await readOn(source, "select x", { maxRows: 7, countAll: true });
    expect(counted).toMatchObject({ truncated: true, rowCount: 1_000_000 });
    expect(counted.rows).toHaveLength(7);
  });

  test("a result that just fits is not called truncated, and an empty one has its columns", async () => {
    const { source } = await connected({ page: pagesOf(1000) });
    expect(await readOn(source, "select x", { maxRows: 1000 })).toMatchObject({
      truncated: false,
      rowCount: 1000,
    });
    const empty = await connected({ page: pagesOf(0) });
    expect(await readOn(empty.source, "select x")).toEqual({
      ...{ columns: [{ name: "x", type: "STRING" }], rows: [] },
      ...{ truncated: false, rowCount: 0 },
    });
  });

  test("a page that is too large is asked for again with fewer rows; a row that is too large fails", async () => {
    const { source, asked } = await connected({ page: pagesOf(100, "x".repeat(500_000)) });
    const result = await readOn(source, "select x", { maxRows: 1000, maxBytes: 2_000_000 });
    // Three rows of 500,004 bytes fit.
    expect(result).toMatchObject({ truncated: true, rowCount: 3 });
    const sizes = asked.flatMap(({ query }) => query.get("maxResults") ?? []);
    expect(sizes).toEqual(["1000", "125", "16"]);
    const huge = await connected({ page: pagesOf(1, "x".repeat(9_000_000)) });
    await expect(readOn(huge.source, "select x", { maxBytes: 100_000 })).rejects.toMatchObject({
      kind: "statement",
      message: "A row of the result is too large to be read",
    });
  });

  test("a job that is not done yet is waited for", async () => {
    let waits = 0;
    const { source } = await connected({
      page: () =>
        ++waits < 3
          ? { body: { jobComplete: false } }
          : { body: { jobComplete: true, totalRows: "0", schema: { fields: [] } } },
    });
    expect((await readOn(source, "select 1")).rows).toEqual([]);
    expect(waits).toBe(3);
  });
});

describe("a statement that ends before its time", () => {
  test("takes too long: its job is canceled by name, in its location", async () => {
    const { source, asked, started, canceled } = await connected({ page: () => "never" });
    await expect(readOn(source, "select 1", { timeoutMs: 1 })).rejects.toMatchObject({
      kind: "timeout",
      message: "The statement took longer than 0.001 s and was cancelled",
    });
    await until(async () => canceled.length === 1);
    expect(canceled).toEqual([started()[0]?.body.jobReference?.jobId]);
    expect(asked.find(({ path }) => path.endsWith("/cancel"))?.query.get("location")).toBe("EU");
  });

  test("is ended by the server at its time limit", async () => {
    const { source } = await connected({
      page: () => failure(400, "stopped", "Job execution was cancelled: Job timed out after 0.001s"),
    });
    await expect(readOn(source, "select 1", { timeoutMs: 1 })).rejects.toMatchObject({ kind: "timeout" });
  });

  test("an aborted statement is canceled on the server, and what it billed is reported", async () => {
    const reportCost = vi.fn(async () => {});
    const { source, canceled, asked } = await connected({ page: () => "never" }, {}, { reportCost });
    const stop = new AbortController();
    const reading = readOn(source, "select 1", { signal: stop.signal });
    const aborted = expect(reading).rejects.toThrow("Enough");
    await until(async () => asked.some(({ path }) => path.includes("/queries/")));
    stop.abort(new Error("Enough"));
    await aborted;
    await until(async () => reportCost.mock.calls.length === 1);
    expect(canceled).toHaveLength(1);
  });

  test("the start of a job that was never answered is canceled, too", async () => {
    const { source, canceled, started } = await connected({ insert: () => "never" });
    const stop = new AbortController();
    const aborted = expect(readOn(source, "select 1", { signal: stop.signal })).rejects.toThrow("Enough");
    await until(async () => started().length === 1);
    stop.abort(new Error("Enough"));
    await aborted;
    await until(async () => canceled.length === 1);
    expect(canceled).toEqual([started()[0]?.body.jobReference?.jobId]);
  });

  test("closing the source ends running statements, and waits until they are canceled", async () => {
    const { source, canceled, asked } = await connected({ page: () => "never" });
    const failed = expect(readOn(source, "select 1")).rejects.toMatchObject({ kind: "unreachable" });
    await until(async () => asked.some(({ path }) => path.includes("/queries/")));
    await source.close();
    await failed;
    expect(canceled).toHaveLength(1);
    await expect(source.test()).rejects.toMatchObject({ kind: "unreachable" });
  });
});

describe("errors", () => {
  test.each([
    [403, "rateLimitExceeded", "Exceeded rate limits"],
    [503, "backendError", "Error encountered during execution. Retrying may solve the problem."],
    [500, "internalError", "An internal error occurred"],
    [429, "", "Too many requests"],
  ])("%d %s passes: the request is made again", async (status, reason, message) => {
    let tries = 0;
    const { source } = await connected({
      dryRun: () => (++tries === 1 ? failure(status, reason, message) : planned()),
    });
    expect((await readOn(source, "select 7 as n")).rows).toEqual([["7"]]);
    expect(tries).toBe(2);
  });

  test("a start that arrived twice is one job", async () => {
    let tries = 0;
    const { source, started } = await connected({
      insert: () =>
        ++tries === 1
          ? failure(503, "backendError", "Try again")
          : failure(409, "duplicate", "Already Exists: Job acme-dw:EU.plumbline_1"),
    });
    expect((await readOn(source, "select 7 as n")).rows).toEqual([["7"]]);
    expect(new Set(started().map(({ body }) => body.jobReference?.jobId)).size).toBe(1);
  });

  test.each([
    [
      ...[400, "invalidQuery", "Unrecognized name: nope at [2:8]", "statement", "Unrecognized name: nope"],
      { line: 2, column: 8 },
    ],
    [
      ...[404, "notFound", "Not found: Table acme-dw:shop.nope was not found in location EU", "statement"],
      ...["Not found: Table acme-dw:shop.nope was not found in location EU", null],
    ],
    [404, "notFound", "Not found: Project nowhere", "unreachable", "The project does not exist", null],
    [
      ...[
        403,
        "accessDenied",
        "Access Denied: Table acme-dw:shop.pay: User does not have permission",
        "statement",
      ],
      ...["Access Denied: Table acme-dw:shop.pay: User does not have permission", null],
    ],
    [
      ...[
        403,
        "accessDenied",
        "Access Denied: Project x: User does not have bigquery.jobs.create permission in project x.",
      ],
      "unreachable",
      "The service account must not run queries in the project acme-dw: give it the role BigQuery Job User (roles/bigquery.jobUser) there",
      null,
    ],
    [
      ...[
        403,
        "quotaExceeded",
        "Quota exceeded: Your usage exceeded the custom quota for QueryUsagePerDay",
        "statement",
      ],
      "A quota of BigQuery is used up: Quota exceeded: Your usage exceeded the custom quota for QueryUsagePerDay",
      null,
    ],
    [
      ...[403, "accessNotConfigured", "BigQuery API has not been used in project 1 before", "unreachable"],
      ...["The BigQuery API is not enabled in the project acme-dw", null],
    ],
  ] as const)("%d %s is told in clear words", async (status, reason, message, kind, told, place) => {
    const { source } = await connected({ dryRun: () => failure(status, reason, message) });
    await expect(readOn(source, "select 1")).rejects.toMatchObject({ kind, message: told, sentPlace: place });
  });

  test("what is no API at all says so", async () => {
    const { source } = await connected({ dryRun: () => ({ status: 200, body: undefined }) });
    await expect(readOn(source, "select 1")).rejects.toMatchObject({
      kind: "unreachable",
      message: "The server did not respond as BigQuery does (HTTP 200)",
    });
  });
});

const catalogFields = [
  ...["table_schema", "table_name", "table_type"].map((name) => ({ name, type: "STRING" })),
  { name: "row_count", type: "INTEGER" },
  ...["option_value", "column_name", "data_type", "is_nullable", "description"].map((name) => ({
    ...{ name, type: "STRING" },
  })),
  { name: "ordinal_position", type: "INTEGER" },
];

describe("the catalog", () => {
  const inEurope = [
    { datasetReference: { datasetId: "shop", projectId: "acme-dw" }, location: "EU" },
    { datasetReference: { datasetId: "_hidden", projectId: "acme-dw" }, location: "EU" },
    { datasetReference: { datasetId: "crm", projectId: "acme-dw" }, location: "europe-west3" },
  ];
  const tableOf = (schema: string) =>
    rowsOf(
      [schema, "orders", "BASE TABLE", "1000", '"what was bought"', "id", "INT64", "NO", "the number", "1"],
      [schema, "orders", "BASE TABLE", "1000", '"what was bought"', "total", "NUMERIC", "YES", null, "2"],
      [schema, "recent", "VIEW", null, null, "id", "INT64", "YES", null, "1"],
    );

  test("tables and columns of a location are introspected by one statement each", async () => {
    const texts = new Map<string, string>();
    const { source, started } = await connected({
      datasets: () => ({ body: { datasets: inEurope } }),
      insert: ({ body }) => {
        texts.set(String(body.jobReference?.jobId), String(body.configuration?.query?.query));
        return { body: {} };
      },
      page: ({ path }) => {
        const schema = texts.get(path.split("/").at(-1) ?? "")?.includes("region-eu`") ? "shop" : "crm";
        return {
          body: {
            jobComplete: true,
            schema: { fields: catalogFields },
            totalRows: "3",
            rows: tableOf(schema),
          },
        };
      },
    });
    const { items } = await source.introspect();
    expect(items.map(({ schemaName }) => schemaName)).toEqual(["crm", "shop"]);
    expect(items[1]?.tables).toEqual([
      {
        ...{ tableName: "orders", kind: "Table", rowEstimate: 1000, comment: "what was bought" },
        columns: [
          { name: "id", type: "INT64", nullable: false, comment: "the number", isPrimaryKey: false },
          { name: "total", type: "NUMERIC", nullable: true, comment: null, isPrimaryKey: false },
        ],
      },
      expect.objectContaining({ tableName: "recent", kind: "View", rowEstimate: null }),
    ]);
    expect(started().map(({ body }) => body.jobReference?.location)).toEqual(["EU", "europe-west3"]);
  });

  test("a service account that may not read the region is asked for by dataset", async () => {
    const { source, started } = await connected({
      datasets: () => ({ body: { datasets: inEurope.slice(0, 1) } }),
      dryRun: ({ body }) =>
        String(body.configuration?.query?.query).includes("region-eu")
          ? failure(403, "accessDenied", "Access Denied: Table acme-dw:region-eu.INFORMATION_SCHEMA.COLUMNS")
          : planned(),
      page: () => ({
        body: { jobComplete: true, schema: { fields: catalogFields }, totalRows: "3", rows: tableOf("shop") },
      }),
    });
    expect((await source.introspect()).items).toHaveLength(1);
    expect(started().map(({ body }) => body.configuration?.query?.query)).toEqual([
      expect.stringContaining("`acme-dw`.`shop`.INFORMATION_SCHEMA.COLUMNS"),
    ]);
  });

  test("thousands of datasets are listed page by page, and their sizes read a hundred at a time", async () => {
    const all = Array.from({ length: 2_500 }, (_, at) => ({
      datasetReference: { datasetId: `d${at}` },
      location: "US",
    }));
    const { source, asked, started } = await connected({
      datasets: ({ query }) => {
        const from = Number(query.get("pageToken") ?? 0);
        const more = from + 1000 < all.length && { nextPageToken: String(from + 1000) };
        return { body: { datasets: all.slice(from, from + 1000), ...more } };
      },
    });
    await readOn(source, dialect.tableStatistics, { timeoutMs: 60_000 }, { ownSql: true });
    expect(asked.filter(({ path }) => path.endsWith("/datasets"))).toHaveLength(3);
    expect(started()).toHaveLength(25);
  });
});
