import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { env } from "../../../env.ts";
import { authority, issuedForLocalhost, otherAuthority } from "../../../test/factories/certificates.ts";
import { aDataFolder } from "../../../test/s3-server.ts";
import type { HttpsConnectionWithSecret, Limits, Source } from "../engine.ts";
import { files } from "../files.ts";

/** Files at HTTPS addresses, on a server whose certificate comes from a CA of its own. */
const ample: Limits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 };
aDataFolder();

type Request = Parameters<RequestListener>[0];
type Response = Parameters<RequestListener>[1];
const contents = new Map<string, (request: Request, response: Response) => void>();
const seen: { path: string; headers: Request["headers"] }[] = [];
const server = createServer(issuedForLocalhost, (request, response) => {
  const path = request.url ?? "";
  seen.push({ path, headers: request.headers });
  const answer = contents.get(path.split("?")[0] ?? "");
  if (answer) answer(request, response);
  else response.writeHead(404).end();
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  env().OUTBOUND_ALLOW = "127.0.0.1";
});
afterAll(() => {
  env().OUTBOUND_ALLOW = undefined;
  server.closeAllConnections();
  server.close();
});

const sources: Source[] = [];
let nextId = 1;
afterEach(async () => {
  await Promise.all(sources.splice(0).map((source) => source.close()));
  seen.length = 0;
});
function opened(paths: string[], changes: Partial<HttpsConnectionWithSecret> = {}, id = nextId++): Source {
  const addresses = paths.map((path) => (path.startsWith("https:") ? path : `${origin}${path}`));
  const source = files.open(
    { addresses, patterns: [], secretHeaders: {}, caCertificate: authority, ...changes },
    { id },
  );
  sources.push(source);
  return source;
}
const read = async (source: Source, sql: string) =>
  (await source.session((session) => session.read({ sql, parameters: [] }, ample))).rows;
const serve = (path: string, body: string, headers: Record<string, string> = {}, status = 200) =>
  contents.set(path, (_, response) => response.writeHead(status, headers).end(body));
const failureOf = (source: Source) =>
  source.test().then(
    ({ message }) => message,
    ({ kind, message }) => `${kind}: ${message}`,
  );

test("each address is a table named like its file, and patterns join some", async () => {
  serve("/a/orders.csv", "id,amount\n1,2.50\n2,3\n");
  serve("/b/sales-1.csv", "n\n1\n");
  serve("/b/sales-2.csv", "n\n2\n");
  const source = opened(["/a/orders.csv?download=1", "/b/sales-1.csv", "/b/sales-2.csv"], {
    patterns: ["sales-*.csv"],
    secretHeaders: { Authorization: "Bearer t0ken" },
  });
  expect(await source.test()).toEqual({ message: "Found 3 files" });
  expect(await read(source, "select sum(amount) from orders")).toEqual([["5.50"]]);
  expect(await read(source, `select sum(n)::integer from "sales-*.csv"`)).toEqual([[3]]);
  const names = (await source.introspect()).items.flatMap(({ tables }) =>
    tables.map(({ tableName }) => tableName),
  );
  expect(names).toEqual(["orders", "sales-*.csv"]);
  expect(seen.every(({ headers }) => headers.authorization === "Bearer t0ken")).toBe(true);
});

test("what has not changed is not sent again, and what has is", async () => {
  let [body, etag] = ["n\n1\n", '"one"'];
  contents.set("/changing.csv", ({ headers }, response) => {
    if (headers["if-none-match"] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag }).end(body);
  });
  const id = nextId++;
  const ask = async () => {
    const source = opened(["/changing.csv"], {}, id);
    const rows = await read(source, "select * from changing");
    await source.close();
    return rows;
  };
  expect([await ask(), await ask()]).toEqual([[["1"]], [["1"]]]);
  [body, etag] = ["n\n2\n", '"two"'];
  expect(await ask()).toEqual([["2"]]);
  expect(seen.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"one"', '"one"']);
});

test("within half a minute, a server is not asked again", async () => {
  serve("/once.csv", "n\n1\n");
  const source = opened(["/once.csv"]);
  await read(source, "select * from once");
  await read(source, "select * from once");
  expect(seen).toHaveLength(1);
});

test("redirects are followed, without secret headers to another server", async () => {
  const others: Request["headers"][] = [];
  const other = createServer(issuedForLocalhost, ({ headers }, response) => {
    others.push(headers);
    response.end("n\n7\n");
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const elsewhere = `https://localhost:${(other.address() as AddressInfo).port}/x`;
  contents.set("/moved.csv", (_, response) => response.writeHead(302, { location: "/here" }).end());
  contents.set("/here", (_, response) => response.writeHead(307, { location: elsewhere }).end());
  const source = opened(["/moved.csv"], { secretHeaders: { "X-Key": "k" } });
  expect(await read(source, "select * from moved")).toEqual([["7"]]);
  expect(seen.map(({ headers }) => headers["x-key"])).toEqual(["k", "k"]);
  expect(others.map((headers) => headers["x-key"])).toEqual([undefined]);
  other.closeAllConnections();
  other.close();
});

test.each([
  [
    "to the inside",
    "https://10.0.0.1/x",
    "unreachable: The host's address is not public; an operator can allow it with OUTBOUND_ALLOW",
  ],
  ["to http", "http://localhost/x", "unreachable: r.csv is redirected to an address that is not https"],
  ["to itself", "/r.csv", "unreachable: r.csv is redirected too often"],
])("a redirect %s is not followed", async (_, location, message) => {
  contents.set("/r.csv", (_, response) => response.writeHead(302, { location }).end());
  expect(await failureOf(opened(["/r.csv"]))).toBe(message);
  expect(seen.length).toBeLessThanOrEqual(6);
});

test.each([
  ["/missing.csv", "", 404, {}, "unreachable: missing.csv does not exist on the server (HTTP 404)"],
  ["/closed.csv", "", 403, {}, "unreachable: The server denies access to closed.csv (HTTP 403)"],
  [
    "/page.csv",
    "<html>",
    200,
    { "content-type": "text/html; charset=utf-8" },
    "unreachable: The server sent a web page instead of page.csv",
  ],
])("%s says what is wrong", async (path, body, status, headers, message) => {
  serve(path, body, headers as Record<string, string>, status);
  const source = opened([path]);
  expect(await failureOf(source)).toBe(message);
  const table = path.slice(1, -4);
  await expect(read(source, `select * from ${table}`)).rejects.toThrow(message.replace("unreachable: ", ""));
});

test("a file that cannot be read does not keep others from being read", async () => {
  serve("/good.csv", "n\n1\n");
  const source = opened(["/good.csv", "/gone.csv"]);
  expect(await read(source, "select * from good")).toEqual([["1"]]);
  await expect(read(source, "select * from gone")).rejects.toThrow("gone.csv does not exist on the server");
  await expect(source.introspect()).rejects.toThrow("gone.csv does not exist on the server");
});

test("a file of unknown size is not read beyond the room for it", async () => {
  contents.set("/endless.csv", (_, response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write("1234567\n".repeat(1000)));
      response.once("drain", more);
    };
    more();
  });
  env().FILES_CACHE_MB = 1;
  await expect(read(opened(["/endless.csv"]), "select * from endless")).rejects.toMatchObject({
    kind: "statement",
    message: "endless.csv is too large: there is room for 1 MiB in the cache (FILES_CACHE_MB)",
  });
  env().FILES_CACHE_MB = 10_240;
});

test("the certificate is verified by the CA of the data source", async () => {
  serve("/safe.csv", "n\n1\n");
  expect(await failureOf(opened(["/safe.csv"]))).toBe("Found 1 file");
  expect(await failureOf(opened(["/safe.csv"], { caCertificate: otherAuthority }))).toBe(
    "unreachable: The server's certificate is not trusted: the CA certificate of this data source did not issue it",
  );
  expect(await failureOf(opened(["/safe.csv"], { caCertificate: undefined }))).toMatch(
    /its issuer is not known$/,
  );
  const byAddress = origin.replace("localhost", "127.0.0.1");
  expect(await failureOf(opened([`${byAddress}/safe.csv`]))).toBe(
    "unreachable: The server's certificate is for another host name",
  );
});
