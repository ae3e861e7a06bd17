import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { env } from "../../../env.ts";
import { until } from "../../../test/listening.ts";
import { aDataFolder, anS3Server } from "../../../test/s3-server.ts";
import { type Seen, s3Keys } from "../../../test/s3-storage.ts";
import type { Limits, S3ConnectionWithSecret, Source } from "../engine.ts";
import { files } from "../files.ts";

/** Files in S3-compatible storage, on a server that verifies signatures. */
const ample: Limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 };
const dataFolder = aDataFolder();
const server = await anS3Server();
env().OUTBOUND_ALLOW = "127.0.0.1";

const sources: Source[] = [];
let nextId = 1;
const connectionOf = (changes: Partial<S3ConnectionWithSecret> = {}): S3ConnectionWithSecret => ({
  ...{ bucket: server.bucket, prefix: "", region: "us-east-1", endpoint: server.endpoint, patterns: [] },
  ...{ ...s3Keys, ...changes },
});
function opened(changes: Partial<S3ConnectionWithSecret> = {}, id = nextId++): Source {
  const source = files.open(connectionOf(changes), { id });
  sources.push(source);
  return source;
}
afterEach(async () => {
  server.answerWith(null);
  await Promise.all(sources.splice(0).map((source) => source.close()));
  env().FILES_CACHE_MB = 10_240;
});

const read = async (source: Source, sql: string, limits: Partial<Limits> = {}) =>
  (await source.session((session) => session.read({ sql, parameters: [] }, { ...ample, ...limits }))).rows;
const tablesOf = async (source: Source) =>
  (await source.introspect()).items.flatMap(({ schemaName, tables }) =>
    tables.map(({ tableName, columns }) => [
      schemaName === "main" ? tableName : `${schemaName}.${tableName}`,
      ...columns.map(({ name }) => name),
    ]),
  );
const failureOf = async (changes: Partial<S3ConnectionWithSecret>) =>
  files
    .open(connectionOf(changes))
    .test()
    .then(
      () => "worked",
      (error) => `${error.kind}: ${error.message}`,
    );
/** The objects that were fetched since the last look. */
const fetched = () => {
  const keys = server.seen.splice(0).map(({ url }) => decodeURIComponent(url.split("?")[0] ?? ""));
  return keys.flatMap((path) => path.split(`/${server.bucket}/`)[1] ?? []).sort();
};

/** How many bytes of files are there that were not fetched to their end. */
const partlyFetched = () =>
  readdirSync(dataFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && basename(entry.parentPath) === "parts")
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

beforeAll(async () => {
  await server.put("shop/orders.csv", "id,amount\n1,10.50\n2,\n3,7.00\n");
  await server.put("shop/sales/january.csv", "day,sold\n2024-01-01,5\n2024-01-02,7\n");
  await server.put("shop/sales/february.csv", "day,sold\n2024-02-01,6\n");
  await server.put("shop/visits/year=2024/month=1/part 1+2 (ä).jsonl", '{"page": "a"}\n{"page": "b"}\n');
  await server.put("shop/visits/year=2024/month=2/part.jsonl", '{"page": "c"}\n');
  await server.put("shop/readme.txt", "nothing to read");
  await server.put("shop/_temporary/orders.csv", "id\n99\n");
  await server.put("shop/changes/_delta_log/00.json", "{}");
  await server.put("shop/changes/part.parquet", "none");
  await server.put("other/people.csv", "name\nAda\n");
});

describe("what is there", () => {
  test("is tables as in a folder: files, folders, and partitions", async () => {
    const source = opened({ prefix: "shop" });
    expect(await tablesOf(source)).toEqual([
      ["orders", "id", "amount"],
      ["sales", "day", "sold"],
      ["visits", "page", "month", "year"],
    ]);
    expect(await read(source, "select sum(amount) from orders")).toEqual([["17.50"]]);
    expect(await read(source, "select max(day), sum(sold)::integer from sales")).toEqual([
      ["2024-02-01", 18],
    ]);
    expect(await read(source, "select year, month, count(*) from visits group by all order by all")).toEqual([
      ["2024", "1", "2"],
      ["2024", "2", "1"],
    ]);
  });

  test("is only what matches, if there are patterns, and only that is listed", async () => {
    const source = opened({ prefix: "/shop/", patterns: ["sales/*.csv"] });
    expect(await tablesOf(source)).toEqual([["sales/*.csv", "day", "sold"]]);
    expect(server.seen.filter(({ url }) => url.includes("list-type=2")).map(({ url }) => url)).toContainEqual(
      expect.stringContaining("prefix=shop%2Fsales%2F"),
    );
    expect(await read(source, `select count(*) from "sales/*.csv"`)).toEqual([["3"]]);
  });

  test("a bucket's own name stands for partitions directly in it", async () => {
    const bucket = "lake";
    const other = await anS3Server({ bucket });
    await other.put("day=1/a.csv", "n\n1\n");
    await other.put("day=2/a.csv", "n\n2\n");
    const source = opened({ bucket, endpoint: other.endpoint });
    expect(await read(source, "select day, n from lake order by n")).toEqual([
      ["1", "1"],
      ["2", "2"],
    ]);
  });

  test("a bucket of more than one page is read to its end", async () => {
    for (let number = 0; number < 7; number++) await server.put(`many/n=${number}/f.csv`, `x\n${number}\n`);
    // Pages of two, as a storage may have them.
    const pages: string[] = [];
    server.answerWith(({ url, headers }, response) => {
      if (!url.includes("list-type=2") || url.includes("max-keys")) return false;
      pages.push(url);
      void relayPage(url, headers, response);
      return true;
    });
    const relayPage = async (
      url: string,
      headers: Seen["headers"],
      response: Parameters<NonNullable<Parameters<typeof server.answerWith>[0]>>[1],
    ) => {
      const token = /continuation-token=([^&]*)/.exec(url)?.[1];
      const from = token === undefined ? 0 : Number(token);
      const keys = Array.from({ length: 7 }, (_, number) => `many/n=${number}/f.csv`).slice(from, from + 2);
      expect(headers.authorization).toContain("AWS4-HMAC-SHA256");
      response.end(`<?xml version="1.0"?><ListBucketResult><Name>x</Name><IsTruncated>${from + 2 < 7}</IsTruncated>
        <NextContinuationToken>${from + 2}</NextContinuationToken>${keys
          .map(
            (key) => `<Contents><Key>${key}</Key><Size>4</Size><LastModified>2024</LastModified></Contents>`,
          )
          .join("")}</ListBucketResult>`);
    };
    const source = opened({ prefix: "many" });
    expect(await read(source, "select sum(x)::integer from many")).toEqual([[21]]);
    expect(pages).toHaveLength(4);
  });
});

describe("what is fetched", () => {
  test("is what a statement may read, once for each version", async () => {
    const source = opened({ prefix: "shop" });
    fetched();
    await read(source, "select * from orders");
    expect(fetched()).toEqual(["shop/orders.csv"]);
    await read(source, "select * from orders");
    await read(source, `select * from "SALES"`);
    expect(fetched()).toEqual(["shop/sales/february.csv", "shop/sales/january.csv"]);
  });

  test("is fetched again when it has changed, and gone when it was removed", async () => {
    await server.put("moving/a.csv", "n\n1\n");
    await server.put("moving/b.csv", "n\n1\n");
    const id = nextId++;
    const ask = async () => {
      const source = opened({ prefix: "moving" }, id);
      const rows = await read(source, "select * from a").catch((error) => error.message);
      const tables = await tablesOf(source);
      await source.close();
      return { rows, tables: tables.flatMap(([name]) => name) };
    };
    expect(await ask()).toEqual({ rows: [["1"]], tables: ["a", "b"] });
    await server.put("moving/a.csv", "n\n2\n");
    await server.remove("moving/b.csv");
    fetched();
    expect(await ask()).toEqual({ rows: [["2"]], tables: ["a"] });
    expect(fetched()).toEqual(["moving/a.csv"]);
    await server.remove("moving/a.csv");
    expect(await ask()).toEqual({ rows: expect.stringMatching(/a does not exist/), tables: [] });
  });

  test("is still there for another process, by what is written in its index", async () => {
    const id = nextId++;
    const first = opened({ prefix: "other" }, id);
    await read(first, "select * from people");
    await first.close();
    fetched();
    expect(await read(opened({ prefix: "other" }, id), "select * from people")).toEqual([["Ada"]]);
    expect(fetched()).toEqual([]);
  });

  test("is nothing for a statement that is rejected", async () => {
    const source = opened({ prefix: "shop" });
    fetched();
    await expect(read(source, "select * from read_csv('orders.csv')")).rejects.toMatchObject({
      kind: "refused",
    });
    await expect(read(source, "drop table orders")).rejects.toMatchObject({ kind: "refused" });
    expect(server.seen).toEqual([]);
  });

  test("with a content encoding is what the file is", async () => {
    const { gzipSync } = await import("node:zlib");
    await server.put("packed/a.csv", gzipSync("n\n42\n"), { "content-encoding": "gzip" });
    await server.put("packed/b.csv.gz", gzipSync("n\n43\n"), { "content-encoding": "gzip" });
    const source = opened({ prefix: "packed" });
    expect(await read(source, "select a.n, b.n from a, b")).toEqual([["42", "43"]]);
  });

  test("that breaks off is continued from where it was", async () => {
    const text = `n\n${Array.from({ length: 200_000 }, (_, number) => number).join("\n")}\n`;
    await server.put("long/a.csv", text);
    let cuts = 0;
    const ranges: unknown[] = [];
    server.answerWith(({ url, headers }, response) => {
      if (!url.includes("a.csv")) return false;
      ranges.push(headers.range);
      if (cuts++ > 0) return false;
      response.writeHead(200, { "content-length": text.length });
      response.write(text.slice(0, 100_000));
      // What a client has received but not yet written is lost when the connection ends.
      void until(async () => partlyFetched() > 0).then(() => response.socket?.end());
      return true;
    });
    expect(await read(opened({ prefix: "long" }), "select count(*), sum(n)::bigint from a")).toEqual([
      ["200000", "19999900000"],
    ]);
    expect(ranges[0]).toBeUndefined();
    expect(ranges[1]).toMatch(/^bytes=\d+-$/);
  });

  test("goes on when the statement that waited for it is over", async () => {
    await server.put("slow/a.csv", "n\n1\n");
    let release = () => {};
    server.answerWith(({ url }, response) => {
      if (!url.includes("a.csv")) return false;
      response.writeHead(200, { "content-length": 4 });
      response.write("n\n");
      release = () => response.end("1\n");
      return true;
    });
    const source = opened({ prefix: "slow" });
    await expect(read(source, "select * from a", { timeoutMs: 600 })).rejects.toMatchObject({
      kind: "timeout",
      message:
        "Objects are still being fetched after 0.6 s, 2 bytes of 4 bytes so far: this goes on, so try again later",
    });
    const abort = new AbortController();
    const waiting = read(source, "select * from a", { signal: abort.signal });
    abort.abort(new Error("Enough"));
    await expect(waiting).rejects.toThrow("Enough");
    release();
    expect(await read(source, "select * from a")).toEqual([["1"]]);
    expect(server.seen.filter(({ url }) => url.includes("slow/a.csv"))).toHaveLength(1);
  });
});

describe("the room on disk", () => {
  const megabyte = 1024 * 1024;
  const count = (bytes: number) => Math.floor(bytes / 8);
  const rows = (bytes: number) => `n\n${"1234567\n".repeat(count(bytes))}`;
  const folders = () => readdirSync(join(dataFolder, "object-cache"));

  test("is enough for what a statement needs, or it says so", async () => {
    await server.put("large/a/1.csv", rows(1.25 * megabyte));
    await server.put("large/b/1.csv", rows(0.5 * megabyte));
    env().FILES_CACHE_MB = 1;
    const source = opened({ prefix: "large" });
    await expect(read(source, "select count(*) from a")).rejects.toMatchObject({
      kind: "statement",
      message:
        "The objects have 1.3 MiB together; the cache has room for 1 MiB (FILES_CACHE_MB): read fewer, or make it larger",
    });
    expect(await read(source, "select count(*) from b")).toEqual([[String(count(0.5 * megabyte))]]);
  });

  test("is taken from the data source that was not read for longest", async () => {
    for (const name of ["c", "d", "e"]) await server.put(`lru-${name}/${name}/1.csv`, rows(0.4 * megabyte));
    env().FILES_CACHE_MB = 1;
    const [c, d, e] = ["c", "d", "e"].map((name) => {
      const id = nextId++;
      return { id, source: opened({ prefix: `lru-${name}` }, id) };
    });
    if (!c || !d || !e) throw new Error("There must be three");
    await read(c.source, "select count(*) from c");
    await read(d.source, "select count(*) from d");
    await read(c.source, "select count(*) from c");
    await read(e.source, "select count(*) from e");
    const has = (id: number) => folders().some((name) => name.startsWith(`${id}-`));
    expect([has(c.id), has(d.id), has(e.id)]).toEqual([true, false, true]);
    // What was removed is fetched again when it is needed.
    expect(await read(d.source, "select count(*) from d")).toEqual([[String(count(0.4 * megabyte))]]);
  });

  test("within one data source, what is not needed gives way", async () => {
    await server.put("own/f/1.csv", rows(0.6 * megabyte));
    await server.put("own/g/1.csv", rows(0.6 * megabyte));
    env().FILES_CACHE_MB = 1;
    const source = opened({ prefix: "own" });
    for (const table of ["f", "g", "f"])
      expect(await read(source, `select count(*) from ${table}`)).toEqual([[String(count(0.6 * megabyte))]]);
  });

  test("a connection that is not stored leaves nothing", async () => {
    const source = files.open(connectionOf({ prefix: "other" }));
    await read(source, "select * from people");
    const own = folders().filter((name) => name.startsWith("unsaved-"));
    expect(own).toHaveLength(1);
    expect(statSync(join(dataFolder, "object-cache")).mode & 0o777).toBe(0o700);
    await source.close();
    await until(async () => !existsSync(join(dataFolder, "object-cache", own[0] ?? "")));
  });
});

describe("a connection test", () => {
  test("lists and reads, and says what it found", async () => {
    expect(await opened({ prefix: "shop" }).test()).toEqual({ message: "Found 5 objects with 127 bytes" });
    expect(await opened({ prefix: "nothing" }).test()).toEqual({
      message: "There are no objects of a format that can be read",
    });
  });

  test.each([
    [{ secretAccessKey: "wrong" }, "unreachable: The secret access key is wrong"],
    [
      { accessKeyId: "NOBODY" },
      "unreachable: The storage does not know the access key ID; if it is a temporary one, its session token is needed too",
    ],
    [{ bucket: "elsewhere" }, "unreachable: The bucket does not exist"],
    [
      { endpoint: "http://127.0.0.1:1" },
      "unreachable: Connection refused: nothing is listening on this host and port",
    ],
    [
      { endpoint: "http://10.0.0.1:9000" },
      "unreachable: The host's address is not public; an operator can allow it with OUTBOUND_ALLOW",
    ],
  ])("says what is wrong: %j", async (changes, message) => {
    expect(await failureOf(changes)).toBe(message);
  });

  const answers: [string, number, Record<string, string>, string, string][] = [
    [
      "another region",
      301,
      { "x-amz-bucket-region": "eu-west-1" },
      "",
      "The bucket is in another region: eu-west-1",
    ],
    [
      "another region, in the body",
      400,
      {},
      "<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-3</Region></Error>",
      "The bucket is in another region: eu-west-3",
    ],
    [
      "no access",
      403,
      {},
      "<Error><Code>AccessDenied</Code></Error>",
      "The storage denies access to the list of objects with this key",
    ],
    [
      "a temporary key that has expired",
      400,
      { "x-amz-bucket-region": "us-east-1" },
      "<Error><Code>ExpiredToken</Code><Message>The provided token has expired.</Message></Error>",
      "The temporary access key has expired: enter a new access key ID, secret access key, and session token",
    ],
    [
      "another key's token",
      400,
      {},
      "<Error><Code>InvalidToken</Code><Token-0>AQoDYXdz</Token-0></Error>",
      "The session token is wrong, or belongs to another access key ID",
    ],
    [
      "a redirect",
      302,
      { location: "http://169.254.169.254/" },
      "",
      "The storage redirects to another address, which is not followed: use that one",
    ],
    [
      "a web page",
      200,
      {},
      "<html><body>Sign in</body></html>",
      "The server on this address did not answer as S3-compatible storage does",
    ],
    [
      "entities",
      200,
      {},
      `<!DOCTYPE x [<!ENTITY a "aaaa">]><ListBucketResult><Name>&a;</Name></ListBucketResult>`,
      "The server on this address did not answer as S3-compatible storage does",
    ],
    [
      "overload",
      503,
      {},
      "<Error><Code>SlowDown</Code></Error>",
      "The storage is busy or has failed: try again later",
    ],
  ];
  test.each(answers)("understands %s", async (_, status, headers, body, message) => {
    server.answerWith((_, response) => {
      response.writeHead(status, headers).end(body);
      return true;
    });
    server.seen.length = 0;
    expect(await failureOf({})).toBe(`unreachable: ${message}`);
    // Only what passes is tried again.
    expect(server.seen).toHaveLength(status === 503 ? 4 : 1);
  });

  test("a busy moment passes", async () => {
    let calls = 0;
    server.answerWith((_, response) => {
      if (calls++ > 0) return false;
      response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      return true;
    });
    expect(await failureOf({ prefix: "other" })).toBe("worked");
  });

  test("a public bucket is read without a signature", async () => {
    server.seen.length = 0;
    await failureOf({ prefix: "other", accessKeyId: undefined, secretAccessKey: "" });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test("a secret is in no message and no request", async () => {
    const secretAccessKey = "Tr0ub4dor/&3";
    expect(await failureOf({ secretAccessKey })).not.toContain(secretAccessKey);
    expect(JSON.stringify(server.seen)).not.toContain(secretAccessKey);
  });

  test("a temporary key's token is sent with each request and signed", async () => {
    const sessionToken = "AQoDYXdzEPT//////////wEXAMPLEtc764==";
    server.seen.length = 0;
    expect(await failureOf({ prefix: "other", sessionToken })).toBe("worked");
    expect(server.seen.map(({ headers }) => headers["x-amz-security-token"])).toEqual([
      sessionToken,
      sessionToken,
    ]);
    for (const { headers } of server.seen)
      expect(headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-security-token/);
    // The server verifies the signature with the token in it: without it, it is another text.
    expect(await failureOf({ sessionToken, secretAccessKey: "wrong" })).not.toContain(sessionToken);
  });
});

test("an object that changes between the list and its turn is read as it is then", async () => {
  await server.put("racing/a.csv", "n\n1\n");
  let isFirst = true;
  server.answerWith(({ url }, response) => {
    if (!isFirst || !url.includes("a.csv")) return false;
    isFirst = false;
    void server.put("racing/a.csv", "n\n22\n").then(() => {
      response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>");
    });
    return true;
  });
  expect(await read(opened({ prefix: "racing" }), "select * from a")).toEqual([["22"]]);
  expect(server.seen.findLast(({ url }) => url.includes("a.csv"))?.headers["if-match"]).toMatch(
    /^"[0-9a-f]{32}"$/,
  );
});

afterAll(() => {
  env().OUTBOUND_ALLOW = undefined;
});
