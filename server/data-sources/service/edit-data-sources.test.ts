import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { contracts } from "../../data-quality/tables.ts";
import { db, sql } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { env } from "../../env.ts";
import { beginRequest } from "../../requests-first.ts";
import { within } from "../../telemetry/work-context.ts";
import { authority, issuedForLocalhost, otherAuthority } from "../../test/factories/certificates.ts";
import { aDataSource, aProject, ownConnection } from "../../test/factories/data-sources.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { createDataSourceInput, updateDataSourceInput } from "../schema.ts";
import { dataSources } from "../tables.ts";
import { closeSources, useSource } from "./connected-sources.ts";
import { createDataSource, deleteDataSource, updateDataSource } from "./edit-data-sources.ts";
import { getDataSource, listDataSources } from "./load-data-sources.ts";
import { getSchema, refreshSchema } from "./read-schema.ts";
import { testConnection } from "./test-connection.ts";

const password = "correct horse battery staple";
/** Roles are shared by the whole server, so their names contain this file's database. */
const reader = `${ownConnection().database}_reader`;
const readerConnection = () => ({ ...ownConnection(), user: reader, password });
const nowhere = { port: 1, host: "127.0.0.1" };

let admin: SignedIn;

beforeAll(async () => {
  admin = await asAdmin();
  await sql.unsafe(`
    create schema shop;
    create table shop.orders (id integer primary key);
    create role ${reader} login password '${password}';
    grant usage on schema shop to ${reader};
    grant select on shop.orders to ${reader};
  `);
});

afterAll(async () => {
  await closeSources();
  await sql.unsafe(`drop owned by ${reader}; drop role ${reader}`);
});

const toCreate = (projectId: number, connection: object = readerConnection()) =>
  createDataSourceInput.parse({ projectId, name: "Shop", kind: "PostgreSql", connection });

const toUpdate = (id: number, connection: object, name = "Shop") =>
  updateDataSourceInput.parse({ id, name, connection });

async function stored(id: number) {
  const [row] = await db.select().from(dataSources).where(eq(dataSources.id, id));
  if (!row) throw new Error("There is no such data source");
  return row;
}

const backendsOf = (user: string) =>
  sql<{ pid: number }[]>`select pid from pg_stat_activity where usename = ${user}`;

test("options of SQL Server are for SQL Server alone", async () => {
  const project = await aProject();
  const connection = { ...readerConnection(), sqlServer: { readOnlyIntent: true } };
  expect(() => toCreate(project.id, connection)).toThrow("must match the kind of data source");
  const { id } = await createDataSource(admin, toCreate(project.id));
  await expect(updateDataSource(admin, toUpdate(id, connection))).rejects.toMatchObject({ code: "invalid" });
  const strict = { ...nowhere, database: "d", user: "u", sqlServer: { strictEncryption: true } };
  const given = { projectId: project.id, name: "S", kind: "SqlServer", connection: strict } as const;
  expect((await createDataSource(admin, createDataSourceInput.parse(given))).connection).toMatchObject({
    ...{ ssl: true, sqlServer: { strictEncryption: true } },
  });
  for (const changes of [{ ssl: false }, { trustServerCertificate: true }])
    expect(() => createDataSourceInput.parse({ ...given, connection: { ...strict, ...changes } })).toThrow(
      "requires TLS and a certificate that is verified",
    );
});

test("Trino's password is stored only for a connection with TLS", async () => {
  const project = await aProject();
  const trino = { ...nowhere, database: "hive", user: "reader", password: "secret" };
  const given = { projectId: project.id, name: "Lake", kind: "Trino" } as const;
  const { id } = await createDataSource(
    admin,
    createDataSourceInput.parse({ ...given, connection: { ...trino, ssl: true } }),
  );
  await expect(updateDataSource(admin, toUpdate(id, { ...trino, ssl: false }))).rejects.toMatchObject({
    code: "invalid",
    more: { errors: [{ path: "connection.password", message: "requires an encrypted connection (TLS)" }] },
  });
  expect((await stored(id)).connection).toMatchObject({ ssl: true });
  await updateDataSource(admin, toUpdate(id, { ...trino, ssl: true }));
});

test("the machine's managed identity is only lent at servers that an operator lists, and keeps no password", async () => {
  const project = await aProject();
  const projectId = project.id;
  const sqlServer = { managedIdentity: true };
  const place = { ...nowhere, database: "d", user: "system" };
  const given = { projectId, name: "S", kind: "SqlServer", connection: { ...place, sqlServer } } as const;
  const refused = {
    code: "invalid",
    message: expect.stringMatching(/^connection\.sqlServer\.managedIdentity .*MANAGED_IDENTITY_SERVERS$/),
  };
  const create = () => createDataSource(admin, createDataSourceInput.parse(given));
  await expect(create()).rejects.toMatchObject(refused);
  await expect(testConnection(admin, given)).rejects.toMatchObject(refused);
  const plain = { ...place, user: "reader", password: "Tr0ub4dor" };
  const { id } = await createDataSource(admin, createDataSourceInput.parse({ ...given, connection: plain }));
  await expect(updateDataSource(admin, toUpdate(id, given.connection))).rejects.toMatchObject(refused);
  env().MANAGED_IDENTITY_SERVERS = [{ projectId, host: nowhere.host, database: null }];
  try {
    expect(await updateDataSource(admin, toUpdate(id, given.connection))).toMatchObject({
      hasPassword: false,
      connection: { user: "system", ssl: true, sqlServer },
    });
    await expect(updateDataSource(admin, toUpdate(id, { ...place, user: "reader" }))).rejects.toMatchObject({
      message: "connection.password is required when the managed identity is no longer used",
    });
    await expect(
      createDataSource(admin, { ...createDataSourceInput.parse(given), projectId: (await aProject()).id }),
    ).rejects.toMatchObject(refused);
  } finally {
    env().MANAGED_IDENTITY_SERVERS = [];
  }
  for (const [changes, message] of [
    [{ ssl: false }, "requires TLS and a certificate that is verified"],
    [{ caCertificate: authority }, "requires TLS and a certificate that is verified"],
    [{ password: "x" }, "must be left out with a managed identity"],
    [{ user: "reader" }, "must be the client ID of a managed identity, or system"],
    [{ sqlServer: { ...sqlServer, domain: "CORP" } }, "must be left out if there is a Windows domain"],
  ] as const)
    expect(() =>
      createDataSourceInput.parse({ ...given, connection: { ...given.connection, ...changes } }),
    ).toThrow(message);
});

describe("a CA certificate", () => {
  test("turns on TLS where it is off by default", async () => {
    const { ssl: _, ...connection } = { ...readerConnection(), caCertificate: authority };
    const created = await createDataSource(admin, toCreate((await aProject()).id, connection));
    expect(created.connection).toMatchObject({ ssl: true });
  });

  test.each([{ ssl: false }, { ssl: true, trustServerCertificate: true }])(
    "contradicts a connection that verifies nothing: %j",
    (changes) => {
      const connection = { ...readerConnection(), caCertificate: authority, ...changes };
      expect(() => toCreate(1, connection)).toThrow("requires TLS and a certificate that is verified");
    },
  );

  test.each([
    ["contains a certificate that cannot be read", authority.replace(/\n[^\n]+\n-----END/, "\n-----END")],
    ["contains a certificate that is not a CA's, but a server's", authority + issuedForLocalhost.cert],
  ])("that %s is rejected", async (message, caCertificate) => {
    const connection = { ...readerConnection(), ssl: true, caCertificate };
    const project = await aProject();
    await expect(createDataSource(admin, toCreate(project.id, connection))).rejects.toMatchObject({
      code: "invalid",
      message: `connection.caCertificate ${message}`,
    });
    await expect(testConnection(admin, { kind: "PostgreSql", connection })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test.each(["nonsense", issuedForLocalhost.key])("that is none is rejected", (caCertificate) => {
    const connection = { ...readerConnection(), ssl: true, caCertificate };
    expect(() => toCreate(1, connection)).toThrow("must be certificates in PEM format");
  });
});

describe("the password", () => {
  test("is encrypted in storage, and in no response", async () => {
    const project = await aProject();
    const created = await createDataSource(admin, toCreate(project.id));
    expect(created).toMatchObject({ name: "Shop", hasPassword: true, canWrite: false });
    const answers = [
      created,
      await getDataSource(admin, created.id),
      await listDataSources(admin),
      await updateDataSource(admin, toUpdate(created.id, { ...readerConnection(), password: undefined })),
      await testConnection(admin, { kind: "PostgreSql", connection: { ...readerConnection(), ...nowhere } }),
    ];
    expect(JSON.stringify(answers)).not.toContain(password);
    expect(JSON.stringify(answers)).not.toContain('"secret":');
    const [whole] = await sql<{ text: string }[]>`
      select d::text as text from data_sources d where id = ${created.id}`;
    expect(whole?.text).toContain(reader);
    expect(whole?.text).not.toContain(password);
    expect(whole?.text).not.toContain(Buffer.from(password).toString("hex"));
  });

  test("is required when another CA says who the server is", async () => {
    const project = await aProject();
    const verified = { ...readerConnection(), ssl: true, caCertificate: authority };
    const { id, connection } = await createDataSource(admin, toCreate(project.id, verified));
    expect(connection).toMatchObject({ ssl: true, caCertificate: authority.trim() });
    const update = (changes: object) =>
      updateDataSource(admin, toUpdate(id, { ...verified, password: undefined, ...changes }));
    for (const caCertificate of [otherAuthority, undefined])
      await expect(update({ caCertificate })).rejects.toMatchObject({
        message: "connection.password is required when the CA certificate changes",
      });
    expect(await update({ caCertificate: `${authority}\n` })).toMatchObject({ hasPassword: true });
  });

  test("of another data source cannot be decrypted here", async () => {
    const [one, other] = [
      await aDataSource({ connection: readerConnection() }),
      await aDataSource({ connection: readerConnection() }),
    ];
    await db.update(dataSources).set({ secret: one.secret }).where(eq(dataSources.id, other.id));
    await expect(useSource(other.id, async () => {})).rejects.toMatchObject({ name: "DecryptionError" });
  });

  test("stays if omitted, even if the name or the database changes", async () => {
    const { id } = await aDataSource({ connection: readerConnection() });
    const { password: _, ...connection } = readerConnection();
    const before = await stored(id);
    expect(await updateDataSource(admin, toUpdate(id, connection, "Renamed"))).toMatchObject({
      name: "Renamed",
      hasPassword: true,
    });
    expect((await stored(id)).secret).toEqual(before.secret);
    await updateDataSource(admin, toUpdate(id, { ...connection, database: "postgres" }));
    expect((await stored(id)).secret).toEqual(before.secret);
  });

  test.each([[{ host: "localhost" }], [{ port: 5433 }], [{ user: "someone" }]])(
    "is required when %j changes, in an update and in a test",
    async (change) => {
      const { id } = await aDataSource({ connection: readerConnection() });
      const { password: _, ...connection } = { ...readerConnection(), ...change };
      const refusal = {
        code: "invalid",
        more: {
          errors: [{ path: "connection.password", message: "is required when host, port, or user changes" }],
        },
      };
      await expect(updateDataSource(admin, toUpdate(id, connection))).rejects.toMatchObject(refusal);
      await expect(
        testConnection(admin, { kind: "PostgreSql", connection, dataSourceId: id }),
      ).rejects.toMatchObject(refusal);
      expect((await stored(id)).connection).toEqual(ownLogin());
    },
  );

  test("is required when TLS is turned off, since anyone in between could read it", async () => {
    const { password: _, ...connection } = readerConnection();
    const { id } = await aDataSource({ connection: { ...readerConnection(), ssl: true } });
    const refusal = {
      code: "invalid",
      more: {
        errors: [
          {
            path: "connection.password",
            message: "is required when TLS or certificate verification is turned off",
          },
        ],
      },
    };
    const plain = { ...connection, ssl: false };
    await expect(updateDataSource(admin, toUpdate(id, plain))).rejects.toMatchObject(refusal);
    await expect(
      testConnection(admin, { kind: "PostgreSql", connection: plain, dataSourceId: id }),
    ).rejects.toMatchObject(refusal);
    expect((await stored(id)).connection).toMatchObject({ ssl: true });
  });

  test("can be replaced and removed", async () => {
    const { id } = await aDataSource({ connection: readerConnection() });
    const changed = await updateDataSource(
      admin,
      toUpdate(id, { ...readerConnection(), ...nowhere, password: "another" }),
    );
    expect(changed).toMatchObject({ hasPassword: true, canWrite: null });
    const cleared = await updateDataSource(admin, toUpdate(id, { ...readerConnection(), password: "" }));
    expect(cleared.hasPassword).toBe(false);
    expect((await stored(id)).secret).toBeNull();
  });

  test("is never sent to a host that someone else entered concurrently", async () => {
    const { password: _, ...direct } = readerConnection();
    const gate = await gatedProxy(direct);
    const { id } = await aDataSource({ connection: { ...readerConnection(), ...gate.address } });
    // The first is busy testing its connection, with the stored password, while the second moves the data source elsewhere.
    const first = updateDataSource(admin, toUpdate(id, { ...direct, ...gate.address, database: "postgres" }));
    await gate.reached;
    const elsewhere = { ...direct, host: "localhost", password: "for localhost" };
    await updateDataSource(admin, toUpdate(id, elsewhere));
    gate.open();
    await expect(first).rejects.toMatchObject({ code: "conflict" });
    expect((await stored(id)).connection).toMatchObject({ host: "localhost", database: direct.database });
    await gate.close();
  });
});

/** A proxy for a database server that accepts connections and transfers nothing until it is opened. */
async function gatedProxy({ host, port }: { host: string; port: number }) {
  const opened = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const server = createServer(async (inner) => {
    reached.resolve();
    await opened.promise;
    const outer = connect(port, host);
    for (const socket of [inner, outer])
      socket.on("error", () => [inner, outer].map((each) => each.destroy()));
    inner.pipe(outer).pipe(inner);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: { host: "127.0.0.1", port: (server.address() as AddressInfo).port },
    reached: reached.promise,
    open: opened.resolve,
    async close() {
      await closeSources();
      server.close();
    },
  };
}

/** What is stored of the reader's connection: everything but the password. */
function ownLogin() {
  const { password: _, ...connection } = readerConnection();
  return connection;
}

describe("projects", () => {
  test("another project's data sources are not listed and not found", async () => {
    const source = await aDataSource();
    const other = await aProject();
    const restricted = await asAdmin({ projectIds: [other.id] });
    const own = await aDataSource({ projectId: other.id });
    const notFound = { code: "not_found", detail: "Data source not found" };
    expect((await listDataSources(restricted)).items.map(({ id }) => id)).toEqual([own.id]);
    expect((await listDataSources(restricted, { projectId: source.projectId })).items).toEqual([]);
    await expect(getDataSource(restricted, source.id)).rejects.toMatchObject(notFound);
    await expect(getSchema(restricted, source.id)).rejects.toMatchObject(notFound);
    await expect(refreshSchema(restricted, source.id)).rejects.toMatchObject(notFound);
    await expect(deleteDataSource(restricted, source.id)).rejects.toMatchObject(notFound);
    await expect(updateDataSource(restricted, toUpdate(source.id, ownConnection()))).rejects.toMatchObject(
      notFound,
    );
    const { password: _, ...connection } = ownConnection();
    await expect(
      testConnection(restricted, { kind: "PostgreSql", connection, dataSourceId: source.id }),
    ).rejects.toMatchObject(notFound);
    expect((await getDataSource(restricted, own.id)).id).toBe(own.id);
  });

  test("nothing is created in a project that is unknown or not accessible", async () => {
    const project = await aProject();
    const restricted = await asAdmin({ projectIds: [project.id + 1] });
    const notFound = { code: "not_found", detail: "Project not found" };
    await expect(createDataSource(restricted, toCreate(project.id))).rejects.toMatchObject(notFound);
    await expect(createDataSource(admin, toCreate(2_000_000_000))).rejects.toMatchObject(notFound);
    expect((await listDataSources(admin, { projectId: project.id })).items).toEqual([]);
  });

  test("a list can be limited to one project, and is sorted by name", async () => {
    const project = await aProject();
    await aDataSource({ projectId: project.id, name: "Zoo" });
    await aDataSource({ projectId: project.id, name: "Airports" });
    const { items } = await listDataSources(admin, { projectId: project.id });
    expect(items.map(({ name }) => name)).toEqual(["Airports", "Zoo"]);
  });
});

describe("connecting", () => {
  test("an unreachable data source is stored anyway; whether it can write is unknown", async () => {
    const created = await createDataSource(
      admin,
      toCreate((await aProject()).id, { ...readerConnection(), ...nowhere }),
    );
    expect(created).toMatchObject({ canWrite: null, hasPassword: true });
  });

  test("a login that can write is distinguished from one that cannot", async () => {
    const project = await aProject();
    const boss = await createDataSource(admin, toCreate(project.id, ownConnection()));
    expect(boss.canWrite).toBe(true);
    expect((await updateDataSource(admin, toUpdate(boss.id, readerConnection()))).canWrite).toBe(false);
  });

  test("a connection is tested without storing it", async () => {
    const before = (await listDataSources(admin)).items.length;
    const kind = "PostgreSql";
    expect(await testConnection(admin, { kind, connection: readerConnection() })).toEqual({
      ok: true,
      serverVersion: expect.stringMatching(/^PostgreSQL \d/),
      canWrite: false,
    });
    expect(await testConnection(admin, { kind, connection: { ...readerConnection(), ...nowhere } })).toEqual({
      ok: false,
      message: "Connection refused: nothing is listening on this host and port",
    });
    expect((await listDataSources(admin)).items).toHaveLength(before);
  });

  test("the schema is read once, and again on request", async () => {
    const { id } = await aDataSource({ connection: readerConnection() });
    const first = await getSchema(admin, id);
    expect(first.items.map(({ schemaName, tables }) => [schemaName, tables.length])).toEqual([["shop", 1]]);
    await sql.unsafe(`create table shop.returns (id integer); grant select on shop.returns to ${reader}`);
    expect(await getSchema(admin, id)).toEqual(first);
    const fresh = await refreshSchema(admin, id);
    expect(fresh.items[0]?.tables.map(({ tableName }) => tableName)).toEqual(["orders", "returns"]);
    expect(fresh.readAt.getTime()).toBeGreaterThan(first.readAt.getTime());
    expect(await getSchema(admin, id)).toEqual(fresh);
    // Another database has another schema.
    await updateDataSource(admin, toUpdate(id, { ...readerConnection(), ...nowhere }));
    await expect(getSchema(admin, id)).rejects.toMatchObject({
      code: "source_unreachable",
      detail: "Connection refused: nothing is listening on this host and port",
    });
  });
});

describe("the pool", () => {
  const ask = (id: number) =>
    useSource(id, (_, source) =>
      source.session(async (session) => {
        const { rows } = await session.read(
          { sql: "select pg_backend_pid(), current_user", parameters: [] },
          { timeoutMs: 5000, maxRows: 1, maxBytes: 1000 },
        );
        return rows[0] ?? [];
      }),
    );

  test("has three connections, and the fourth session waits its turn", async () => {
    const { id } = await aDataSource({ connection: readerConnection() });
    let now = 0;
    let max = 0;
    const pids = await Promise.all(
      Array.from({ length: 8 }, () =>
        useSource(id, (_, source) =>
          source.session(async (session) => {
            max = Math.max(max, ++now);
            const statement = { sql: "select pg_backend_pid()", parameters: [] };
            const { rows } = await session.read(statement, { timeoutMs: 5000, maxRows: 1, maxBytes: 1000 });
            now--;
            return rows[0]?.[0];
          }),
        ),
      ),
    );
    expect(max).toBe(3);
    expect(new Set(pids).size).toBe(3);
  });

  test("while a request is being answered, a job begins no session", async () => {
    const { id } = await aDataSource({ connection: readerConnection() });
    const begun: string[] = [];
    await useSource(id, async (_, source) => {
      const session = (whose: string) => source.session(async () => void begun.push(whose));
      const answered = beginRequest();
      const work = within({ job: "tidy-up" }, () => session("job's"));
      await within({ requestId: "a" }, () => session("request's"));
      answered();
      await work;
    });
    expect(begun).toEqual(["request's", "job's"]);
  });

  test("is shared, and follows the stored connection", async () => {
    const { id } = await aDataSource({ connection: readerConnection() });
    const [pid, user] = await ask(id);
    expect(user).toBe(reader);
    expect(await ask(id)).toEqual([pid, reader]);
    await updateDataSource(admin, toUpdate(id, ownConnection()));
    expect((await ask(id))[1]).toBe(ownConnection().user);
    // Changed behind the service's back, by another process.
    const { password: _, ...connection } = ownConnection();
    await db
      .update(dataSources)
      .set({ connection: { ...connection, user: reader }, secret: encrypt(password, `data-source:${id}`) })
      .where(eq(dataSources.id, id));
    expect((await ask(id))[1]).toBe(reader);
  });

  test("running statements end undisturbed when the connection changes; then their connections close", async () => {
    const { id } = await aDataSource({ connection: readerConnection() });
    const answer = await useSource(id, (_, source) =>
      source.session(async (session) => {
        const limits = { timeoutMs: 5000, maxRows: 1, maxBytes: 1000 };
        await session.read({ sql: "select 1", parameters: [] }, limits);
        await deleteDataSource(admin, id);
        return session.read({ sql: "select pg_backend_pid()", parameters: [] }, limits);
      }),
    );
    const pid = Number(answer.rows[0]?.[0]);
    expect(pid).toBeGreaterThan(0);
    await expect.poll(async () => (await backendsOf(reader)).map((each) => each.pid)).not.toContain(pid);
    await expect(useSource(id, async () => {})).rejects.toMatchObject({ code: "not_found" });
  });
});

test("a data source used by a contract cannot be deleted, and says so", async () => {
  const { id } = await aDataSource();
  const fields = { name: "Orders", schemaName: "shop", tableName: "orders", cronExpression: "0 6 * * *" };
  await db.insert(contracts).values({ ...fields, dataSourceId: id });
  await expect(deleteDataSource(admin, id)).rejects.toMatchObject({
    code: "conflict",
    detail: "The data source is still used by data contracts, including archived ones",
  });
  await db.delete(contracts).where(eq(contracts.dataSourceId, id));
  await deleteDataSource(admin, id);
  await expect(getDataSource(admin, id)).rejects.toMatchObject({ code: "not_found" });
});

describe("omitted connection settings get the engine's defaults", () => {
  const login = { port: 1, database: "shop", user: "reader", password };
  const create = async (kind: "SqlServer" | "MySql", connection: object) => {
    const { projectId } = await aDataSource();
    const input = { projectId, name: "Shop", kind, connection: { ...login, ...connection } };
    return (await createDataSource(admin, createDataSourceInput.parse(input))).connection;
  };

  test("connections to SQL Server are encrypted by default, others on request", async () => {
    expect(await create("SqlServer", { host: "127.0.0.1" })).toMatchObject({ ssl: true });
    expect(await create("SqlServer", { host: "127.0.0.1", ssl: false })).toMatchObject({ ssl: false });
    expect(await create("MySql", { host: "127.0.0.1" })).toMatchObject({ ssl: false });
  });

  test("a server's name in the format of SQL Server's tools is parsed", async () => {
    expect(await create("SqlServer", { host: "tcp:127.0.0.1,2" })).toMatchObject({
      host: "127.0.0.1",
      port: 2,
    });
    // For others it is an ordinary host.
    expect(await create("MySql", { host: "127.0.0.1,2" })).toMatchObject({ host: "127.0.0.1,2", port: 1 });
  });
});
