import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { env } from "../../../env.ts";
import { authority, issuedForLocalhost, otherAuthority } from "../../../test/factories/certificates.ts";
import { type TdsServer, tdsServer } from "../../../test/tds-server.ts";
import type { Limits, Source, Statement } from "../engine.ts";
import { sqlserver } from "../sqlserver.ts";
import { connect } from "./connection.ts";

/** The traffic around every statement, however it ends. */
const ample: Limits = { timeoutMs: 5_000, maxRows: 100, maxBytes: 1_000_000 };
let server: TdsServer;
let source: Source;

beforeEach(async () => {
  server = await tdsServer();
  source = sqlserver.open({
    host: "127.0.0.1",
    port: server.port,
    database: "shop",
    user: "reader",
    password: "Tr0ub4dor",
    ssl: false,
  });
});

afterEach(async () => {
  await source.close();
  server.close();
});

const read = (sql: string, limits: Partial<Limits> = {}) =>
  source.session((session) => session.read({ sql, parameters: [] }, { ...ample, ...limits }));

/** The statements received, by kind. */
const heard = () => server.heard.map((line) => /^set .*; (select.*)$/.exec(line)?.[1]?.trim() ?? line);

test("every statement has its own transaction, which is rolled back, and the connection is reset", async () => {
  expect(await read("select n -- rows 3")).toEqual({
    columns: [{ name: "n", type: "int" }],
    rows: [[1], [2], [3]],
    truncated: false,
    rowCount: 3,
  });
  await read("select n -- rows 1");
  expect(heard()).toEqual([
    "login",
    ...["begin", "select n -- rows 3", "rollback", "reset"],
    ...["begin", "select n -- rows 1", "rollback", "reset"],
  ]);
  expect(server.heard[2]).toBe(
    "set nocount on; set deadlock_priority low; set lock_timeout 10000; select n -- rows 3",
  );
});

test("what the gate rejects is not sent", async () => {
  await expect(read("select 1 delete from t")).rejects.toMatchObject({ kind: "refused" });
  expect(heard()).toEqual([]);
});

test("a failed statement is rolled back, too", async () => {
  await expect(read("select n -- fails")).rejects.toMatchObject({
    kind: "statement",
    message: "Invalid object name 'flights'.",
  });
  expect(await read("select n -- rows 1")).toMatchObject({ rows: [[1]] });
  expect(heard()).toEqual([
    "login",
    ...["begin", "select n -- fails", "rollback", "reset"],
    ...["begin", "select n -- rows 1", "rollback", "reset"],
  ]);
});

test("rows beyond the limit are cancelled, and the connection stays usable", async () => {
  const result = await read("select n -- forever", { maxRows: 5 });
  expect(result.rows).toHaveLength(5);
  expect(result.truncated).toBe(true);
  expect(await read("select n -- rows 5", { maxRows: 5 })).toMatchObject({ truncated: false });
  expect(heard()).toEqual([
    "login",
    ...["begin", "select n -- forever", "cancel", "rollback", "reset"],
    ...["begin", "select n -- rows 5", "rollback", "reset"],
  ]);
});

test("rows beyond the limit are counted on request, and nothing is cancelled", async () => {
  const result = await read("select n -- rows 20000", { maxRows: 5, countAll: true });
  expect(result.rows).toEqual([[1], [2], [3], [4], [5]]);
  expect(result).toMatchObject({ truncated: true, rowCount: 20_000 });
  expect(await read("select n -- rows 5", { maxRows: 5, countAll: true })).toMatchObject({ rowCount: 5 });
  expect(heard()).toEqual([
    "login",
    ...["begin", "select n -- rows 20000", "rollback", "reset"],
    ...["begin", "select n -- rows 5", "rollback", "reset"],
  ]);
});

test.each([false, true])("an endless value is not buffered, counting all: %s", async (countAll) => {
  const startedAt = performance.now();
  await expect(read("select t -- endless", { maxBytes: 1000, countAll })).rejects.toMatchObject({
    kind: "statement",
    message: "A row of the result is too large to be read",
  });
  expect(performance.now() - startedAt).toBeLessThan(ample.timeoutMs);
  expect(await read("select n -- rows 1")).toMatchObject({ rows: [[1]] });
  expect(heard().filter((line) => line === "login")).toHaveLength(2);
});

test("the time limit applies to counting", async () => {
  const counting = read("select n -- forever", { maxRows: 5, timeoutMs: 200, countAll: true });
  await expect(counting).rejects.toMatchObject({ kind: "timeout" });
  expect(heard()).toEqual(["login", "begin", "select n -- forever", "cancel", "rollback", "reset"]);
});

test.each(["silent", "forever"])("a %s statement is cancelled when its time is up", async (how) => {
  const startedAt = performance.now();
  await expect(read(`select n -- ${how}`, { timeoutMs: 200, maxRows: 1e6 })).rejects.toMatchObject({
    kind: "timeout",
    message: "The statement took longer than 0.2 s and was cancelled",
  });
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect(await read("select n -- rows 1")).toMatchObject({ rows: [[1]] });
  expect(heard()).toEqual([
    "login",
    ...["begin", `select n -- ${how}`, "cancel", "rollback", "reset"],
    ...["begin", "select n -- rows 1", "rollback", "reset"],
  ]);
});

describe("a check", () => {
  const check = (sql: string, parameters: Statement["parameters"] = []) =>
    source.session(async (session) => session.check?.({ sql, parameters }, { timeoutMs: 500 }));
  const described = "exec sys.sp_describe_first_result_set @tsql = @p1, @params = @p2";

  test("makes the server describe the statement, without running it", async () => {
    expect(await check("select n -- rows 3")).toEqual({ scans: true });
    expect(server.heard).toEqual([
      ...["login", "begin"],
      `set nocount on; set deadlock_priority low; set lock_timeout 10000; ${described}`,
      ...["rollback", "reset"],
    ]);
  });

  test("reports problems in the server's own words", async () => {
    await expect(check("select n -- fails")).rejects.toMatchObject({
      kind: "statement",
      message: "Invalid object name 'flights'.",
    });
    expect(await read("select n -- rows 1")).toMatchObject({ rows: [[1]] });
  });

  test("has a time limit and a gate", async () => {
    await expect(check("select n -- silent")).rejects.toMatchObject({ kind: "timeout" });
    server.heard.length = 0;
    await expect(check("exec sp_who")).rejects.toMatchObject({ kind: "refused" });
    expect(server.heard).toEqual([]);
  });
});

test("a connection that breaks is replaced", async () => {
  await expect(read("select n -- breaks")).rejects.toMatchObject({ kind: "unreachable" });
  expect(await read("select n -- rows 1")).toMatchObject({ rows: [[1]] });
  expect(heard().filter((line) => line === "login")).toHaveLength(2);
});

test("closing ends running statements", async () => {
  const running = read("select n -- silent");
  const ended = expect(running).rejects.toMatchObject({ kind: "unreachable" });
  await expect.poll(heard).toContain("select n -- silent");
  await source.close();
  await ended;
});

test("decimals, money, and sql_variant are read with every digit", async () => {
  expect(await read("select sum, cost, any -- exact")).toMatchObject({
    columns: [
      { name: "sum", type: "numeric" },
      { name: "cost", type: "money" },
      { name: "any", type: "sql_variant" },
    ],
    rows: [["12345678901234.5678", "922337203685477.5807", "2024-03-31"]],
  });
});

describe("a statement is described before it runs", () => {
  const check = (sql: string) =>
    source.session(async (session) =>
      session.check?.({ sql, parameters: [] }, { timeoutMs: ample.timeoutMs }),
    );

  test.each([102, 207, 208, 229, 468, 8120])(
    "an error about the statement is reported: %s",
    async (number) => {
      await expect(check(`select n -- error ${number}`)).rejects.toMatchObject({ kind: "statement" });
    },
  );
  // The procedure is missing, cannot describe this, is busy, or returns an unknown error.
  test.each([2812, 11514, 1222, 1205, 701, 49999])(
    "anything else does not prevent running it: %s",
    async (number) => {
      expect(await check(`select n -- error ${number}`)).toEqual({ scans: true });
    },
  );
  test("a broken connection is reported", async () => {
    await expect(check("select n -- breaks")).rejects.toMatchObject({ kind: "unreachable" });
  });
});

test("if only the query for rights is rejected, the connection works and the rights are unknown", async () => {
  const strict = await tdsServer({ refuses: /is_srvrolemember/ });
  const login = { host: "127.0.0.1", database: "shop", user: "reader", password: "Tr0ub4dor", ssl: false };
  const other = sqlserver.open({ ...login, port: strict.port });
  try {
    const result = await other.test();
    expect(result.serverVersion).toBeDefined();
    expect(result.canWrite).toBeUndefined();
  } finally {
    await other.close();
    strict.close();
  }
});

test("the server gets the same lock timeout for every statement, so that it keeps one plan", async () => {
  await read("select n -- rows 1", { timeoutMs: 60_000 });
  await read("select n -- rows 1", { timeoutMs: 3_000 });
  const said = server.heard.filter((line) => line.startsWith("set nocount"));
  expect(said).toHaveLength(2);
  expect(new Set(said).size).toBe(1);
});

test("memory-optimized tables, which do not support the transaction, are read outside it", async () => {
  const sql = "select n -- error 41368 in a transaction -- rows 2";
  expect((await read(sql)).rows).toEqual([[1], [2]]);
  expect(heard()).toEqual(["login", "begin", sql, "rollback", "reset", sql, "rollback", "reset"]);
});

test("texts of two collations are compared in one, if there is a statement for that", async () => {
  const ask = (sqlAcrossCollations?: string) =>
    source.session((session) =>
      session.read({ sql: "select n -- error 468", parameters: [], sqlAcrossCollations }, ample),
    );
  expect((await ask("select n -- rows 1")).rows).toEqual([[1]]);
  await expect(ask()).rejects.toMatchObject({ kind: "statement" });
  await expect(ask("select 1 delete from t")).rejects.toMatchObject({ kind: "refused" });
  // The other statement is not retried endlessly.
  await expect(ask("select n -- error 468 as well")).rejects.toMatchObject({ kind: "statement" });
});

test("which functions are user-defined is queried before a statement, once", async () => {
  await read("select count(*) -- rows 1");
  await read("select count(*) -- rows 1");
  const said = server.heard.filter((line) => line.startsWith("set nocount"));
  expect(said.map((line) => line.includes("sys.objects"))).toEqual([true, false, false]);
});

test("functions that reach beyond the database are rejected by name, and nothing is sent", async () => {
  await expect(read("select * from sys.dm_os_file_exists(N'/etc/passwd')")).rejects.toMatchObject({
    kind: "refused",
    message: "The function sys.dm_os_file_exists is not allowed: an Admin can allow it on the data source",
  });
  expect(heard()).toEqual([]);
});

describe("signing in", () => {
  const login = { host: "localhost", database: "shop", user: "reader", password: "Tr0ub4dor", ssl: false };
  const outcomeOf = async (near: TdsServer, changes: Partial<Parameters<typeof sqlserver.open>[0]> = {}) => {
    const other = sqlserver.open({ ...login, port: near.port, ...changes });
    try {
      await other.session((session) => session.read({ sql: "select n -- rows 1", parameters: [] }, ample));
      return "worked";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await other.close();
      near.close();
    }
  };
  /** The fixed part of a login has flags at these places (MS-TDS, 2.2.6.4). */
  const flagsOf = ([first]: readonly Buffer[]) => ({
    isIntegrated: ((first?.[25] ?? 0) & 0x80) !== 0,
    isReadOnlyIntent: ((first?.[26] ?? 0) & 0x20) !== 0,
  });

  test("a login says whether it only reads", async () => {
    for (const readOnlyIntent of [true, false, undefined]) {
      const near = await tdsServer();
      expect(await outcomeOf(near, { sqlServer: { readOnlyIntent } })).toBe("worked");
      expect(flagsOf(near.logins)).toEqual({
        isIntegrated: false,
        isReadOnlyIntent: readOnlyIntent === true,
      });
    }
  });

  test("a Windows account signs in by NTLM, and its password is not sent", async () => {
    const near = await tdsServer({ refusedLogins: [18452] });
    expect(await outcomeOf(near, { sqlServer: { domain: "corp" } })).toBe(
      "The server does not accept this login: it requires a trusted Windows account",
    );
    expect(flagsOf(near.logins)).toMatchObject({ isIntegrated: true });
    const sent = near.logins[0]?.toString("latin1") ?? "";
    expect(sent).toContain("NTLMSSP\0\u0001");
    expect(sent).toContain("CORP");
    expect(near.logins).toHaveLength(1);
  });

  test("an application of Entra signs in by its token, and its secret is not sent", async () => {
    const near = await tdsServer();
    const principals: object[] = [];
    const sqlServer = { entraTenant: "corp.example" };
    const connection = await connect(
      { ...login, port: near.port, sqlServer },
      {
        entraToken: async (principal) => {
          principals.push(principal);
          return "eyJ.token.of-entra";
        },
      },
    );
    connection.drop();
    near.close();
    expect(principals).toEqual([{ tenant: "corp.example", user: login.user, password: login.password }]);
    const sent = near.logins[0] ?? Buffer.of();
    expect(sent.includes(Buffer.from("eyJ.token.of-entra", "utf16le"))).toBe(true);
    // A login's password would be there in disguise, of the same length: no field of it is.
    expect(sent.includes(Buffer.from(login.user, "utf16le"))).toBe(false);
  });

  test("the machine's managed identity signs in by its token where an operator lists the server, and nowhere else", async () => {
    const near = await tdsServer();
    const asked: unknown[] = [];
    const identityToken = async (clientId: string | null) => {
      asked.push(clientId);
      return "eyJ.token.of-azure";
    };
    const signIn = async (projectId: number, user = "system") => {
      const sqlServer = { managedIdentity: true };
      const target = { ...login, user, password: "", port: near.port, projectId, sqlServer };
      (await connect(target, { identityToken })).drop();
    };
    const refused = {
      ...{ kind: "unreachable" },
      message: expect.stringContaining("an operator has listed for this project in MANAGED_IDENTITY_SERVERS"),
    };
    await expect(signIn(7)).rejects.toMatchObject(refused);
    env().MANAGED_IDENTITY_SERVERS = [{ projectId: 7, host: login.host.toUpperCase(), database: null }];
    try {
      await expect(signIn(8)).rejects.toMatchObject(refused);
      expect([asked, near.logins]).toEqual([[], []]);
      await signIn(7);
      await signIn(7, "11111111-2222-3333-4444-555555555555");
    } finally {
      env().MANAGED_IDENTITY_SERVERS = [];
      near.close();
    }
    expect(asked).toEqual([null, "11111111-2222-3333-4444-555555555555"]);
    const [sent = Buffer.of()] = near.logins;
    expect(sent.includes(Buffer.from("eyJ.token.of-azure", "utf16le"))).toBe(true);
  });

  test.each([10928, 10929, 40197, 40501, 40613, 49918, 49919, 49920])(
    "a login that is refused for the moment, by %i, is tried again",
    async (number) => {
      const near = await tdsServer({ refusedLogins: [number] });
      expect(await outcomeOf(near)).toBe("worked");
      expect(near.logins).toHaveLength(2);
    },
  );

  test("a login that is refused for good is not", async () => {
    const near = await tdsServer({ refusedLogins: [18456] });
    expect(await outcomeOf(near)).toBe("The user or password is wrong");
    expect(near.logins).toHaveLength(1);
  });

  test("strict encryption is TLS from the first byte on, and always verified", async () => {
    const connect = async (changes: object, strictEncryption = true) =>
      outcomeOf(await tdsServer({ strict: issuedForLocalhost }), {
        ...{ ssl: true, caCertificate: authority, sqlServer: { strictEncryption } },
        ...changes,
      });
    expect(await connect({})).toBe("worked");
    expect(await connect({ caCertificate: otherAuthority })).toBe(
      "The server's certificate is not trusted: the CA certificate of this data source did not issue it",
    );
    expect(await connect({ caCertificate: undefined, trustServerCertificate: true })).toMatch(
      /^The server's certificate is not trusted/,
    );
    expect(await connect({ host: "127.0.0.1" })).toBe("The server's certificate is for another host name");
    expect(await connect({}, false)).not.toBe("worked");
    const plain = await tdsServer();
    expect(await outcomeOf(plain, { ssl: true, sqlServer: { strictEncryption: true } })).not.toBe("worked");
    expect(plain.logins).toEqual([]);
  });
});

test.each([40197, 40501, 40613, 10928, 49918])(
  "a statement that Azure SQL puts off by %i can be tried again",
  async (number) => {
    await expect(read(`select n -- error ${number}`)).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringMatching(/try again$|too many connections$/),
    });
  },
);
