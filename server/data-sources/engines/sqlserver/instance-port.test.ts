import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partsOfServer } from "../../server-name.ts";
import { portOfInstance } from "./instance-port.ts";

/** A browser service according to MC-SQLR: three bytes, then names and values separated by semicolons. */
const browser = createSocket("udp4");
const listing =
  "ServerName;DB;InstanceName;MSSQLSERVER;IsClustered;No;Version;16.0.1000.6;tcp;1433;;" +
  "ServerName;DB;InstanceName;SALES;IsClustered;No;Version;16.0.1000.6;tcp;50123;;";
let browserPort = 0;

beforeAll(async () => {
  browser.on("message", (_, { port, address }) => {
    const length = Buffer.alloc(2);
    length.writeUInt16LE(listing.length);
    browser.send(Buffer.concat([Buffer.of(5), length, Buffer.from(listing)]), port, address);
  });
  browser.bind(0, "127.0.0.1");
  await once(browser, "listening");
  browserPort = browser.address().port;
});
afterAll(() => {
  browser.close();
});

test("a named instance gets its port from the browser service, whatever its case", async () => {
  const options = { timeoutMs: 3_000, browserPort };
  expect(await portOfInstance({ host: "127.0.0.1", instance: "sales" }, options)).toBe(50123);
});

test("an unknown instance is reported, with what to do", async () => {
  await expect(
    portOfInstance({ host: "127.0.0.1", instance: "GONE" }, { timeoutMs: 3_000, browserPort }),
  ).rejects.toMatchObject({ kind: "unreachable", message: expect.stringContaining("enter the port") });
});

test.each([
  ["db", { host: "db", instance: null }],
  ["db\\SALES", { host: "db", instance: "SALES" }],
  ["db\\", { host: "db", instance: null }],
])("%s", (server, parts) => {
  expect(partsOfServer(server)).toEqual(parts);
});
