import { chownSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { sql } from "../../db/client.ts";
import { env } from "../../env.ts";
import { authority, issuedForLocalhost, otherAuthority } from "../../test/factories/certificates.ts";
import { ownConnection } from "../../test/factories/data-sources.ts";
import { until } from "../../test/listening.ts";
import { asAdmin, mysqlConnection } from "../../test/mysql.ts";
import { clickhouse } from "./clickhouse.ts";
import type { ConnectionWithPassword, DatabaseEngine } from "./engine.ts";
import { mysql } from "./mysql.ts";
import { postgresql } from "./postgresql.ts";
import { restApi } from "./rest-api.ts";
import { trino } from "./trino.ts";

/** Servers that present a certificate for localhost, issued by a CA that nothing trusts unless it is told to. */

const unknownIssuer = /^The server's certificate is not trusted: its issuer is not known$/;
const otherCa =
  /^The server's certificate is not trusted: the CA certificate of this data source did not issue it$/;
const otherHost = /^The server's certificate is for another host name$/;

const outcomeOf = async (source: ReturnType<DatabaseEngine["open"]>) => {
  try {
    const { serverVersion, message } = await source.test();
    return serverVersion ?? message ?? "worked";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await source.close();
  }
};

/** A server that others have started presents what it has; the end of the run says so. */
function leaveOut({ task, skip }: TestContext, why: string): void {
  Object.assign(task.meta, { summary: `Left out: certificates of a CA of one's own (${why})` });
  skip();
}

const cases = (
  connect: (changes: object) => Promise<string>,
  worked: RegExp,
  skipUnless: (context: TestContext) => Promise<void> | void = () => {},
) =>
  test.for([
    ["the CA that issued it", { caCertificate: authority }, worked],
    ["that one of several", { caCertificate: otherAuthority + authority }, worked],
    ["another CA", { caCertificate: otherAuthority }, otherCa],
    ["the well-known ones", {}, unknownIssuer],
    [
      "the right CA, by a name that it is not for",
      { caCertificate: authority, host: "127.0.0.1" },
      otherHost,
    ],
    ["any", { trustServerCertificate: true }, worked],
  ] as const)("%s", async ([, changes, outcome], context) => {
    await skipUnless(context);
    expect(await connect(changes)).toMatch(outcome);
  });

const opened = (engine: DatabaseEngine, target: ConnectionWithPassword) => (changes: object) =>
  outcomeOf(engine.open({ ...target, host: "localhost", ssl: true, ...changes }));

describe("PostgreSQL", () => {
  const settings = ["ssl_cert_file", "ssl_key_file", "ssl"] as const;
  let isOn = false;

  beforeAll(async () => {
    const [{ folder = "" } = {}] = await sql<
      { folder: string }[]
    >`select current_setting('data_directory') as folder`;
    // A server elsewhere has files of its own.
    const owner = statSync(folder, { throwIfNoEntry: false });
    if (!owner) return;
    for (const [name, content] of Object.entries(issuedForLocalhost)) {
      const file = join(folder, `localhost.${name}`);
      writeFileSync(file, content, { mode: 0o600 });
      chownSync(file, owner.uid, owner.gid);
    }
    await sql.unsafe("alter system set ssl_cert_file = 'localhost.cert'");
    await sql.unsafe("alter system set ssl_key_file = 'localhost.key'");
    await sql.unsafe("alter system set ssl = 'on'");
    await sql`select pg_reload_conf()`;
    await until(async () => (await sql`show ssl`)[0]?.ssl === "on");
    isOn = true;
  });
  afterAll(async () => {
    for (const setting of settings) await sql.unsafe(`alter system reset ${setting}`);
    await sql`select pg_reload_conf()`;
  });

  const skipElsewhere = (context: TestContext) => {
    if (!isOn) leaveOut(context, "the PostgreSQL of TEST_DATABASE_URL is on another machine");
  };
  describe("its certificate is verified by", () => {
    cases(opened(postgresql, ownConnection()), /^PostgreSQL \d/, skipElsewhere);
  });
});

describe("MySQL or MariaDB", () => {
  const skipUnprepared = async (context: TestContext) => {
    const [[, file] = []] = await asAdmin("show variables like 'ssl_cert'");
    if (basename(String(file)) !== "localhost.crt")
      leaveOut(context, "the MySQL of TEST_MYSQL_URL has a certificate of its own");
  };
  describe("its certificate is verified by", () => {
    cases(opened(mysql, mysqlConnection), /^(MariaDB|MySQL) \d/, skipUnprepared);
  });
});

describe("over HTTPS", () => {
  const server = createServer(issuedForLocalhost, (request, response) => {
    if (request.url === "/v1/statement") {
      const columns = [{ name: "version", type: "varchar" }];
      request.resume().on("end", () => response.end(JSON.stringify({ id: "1", columns, data: [["483"]] })));
    } else if (request.url?.includes("query_id")) {
      const columns = ["x", "UInt8"];
      response.end(`${columns.map((each) => JSON.stringify([each])).join("\n")}\n["1"]\n`);
    } else response.end("{}");
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
    env().OUTBOUND_ALLOW = "127.0.0.1";
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  describe("the certificate of a ClickHouse is verified by", () => {
    cases((changes) => opened(clickhouse, { ...ownConnection(), port })(changes), /^ClickHouse 1$/);
  });

  describe("the certificate of a Trino is verified by", () => {
    cases((changes) => opened(trino, { ...ownConnection(), port })(changes), /^Trino 483$/);
  });

  describe("the certificate of a REST API is verified by", () => {
    const connect = ({ host = "localhost", ...changes }: { host?: string; caCertificate?: string }) =>
      outcomeOf(
        restApi.open({ baseUrl: `https://${host}:${port}/`, headers: {}, secretHeaders: {}, ...changes }),
      );
    test.for([
      ["the CA that issued it", { caCertificate: authority }, /^worked$/],
      ["another CA", { caCertificate: otherAuthority }, otherCa],
      ["the well-known ones", {}, unknownIssuer],
      [
        "the right CA, by an address that it is not for",
        { caCertificate: authority, host: "127.0.0.1" },
        otherHost,
      ],
    ] as const)("%s", async ([, changes, outcome]) => {
      expect(await connect(changes)).toMatch(outcome);
    });
  });
});
