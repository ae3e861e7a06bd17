import { readFileSync } from "node:fs";
import { open as openHandle, readFile, realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { bigQueryAddress } from "../../data-sources/bigquery-address.ts";
import type { BigQueryConnection } from "../../data-sources/connections/bigquery.ts";
import { databaseAddress } from "../../data-sources/database-address.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { type Cell, type OpenConnection, SourceError } from "../../data-sources/engines/engine.ts";
import { getEngine } from "../../data-sources/engines/engines.ts";
import { databaseKindOf, mayBeDatabase } from "../../data-sources/engines/files/formats.ts";
import type { DatabaseKind } from "../../data-sources/kinds.ts";
import { type SnowflakeAddress, snowflakeAddress } from "../../data-sources/snowflake-address.ts";
import type { FileTable } from "../files/read-file.ts";
import type { TableName } from "../tables.ts";
import { describedFinding } from "./described-finding.ts";
import { type Scanned, scanTables } from "./scan-tables.ts";

export type LocalScanOptions = {
  /** A file, or the address of a database. */
  target: string;
  /** Names as people write them: `orders` or `sales.orders`. All tables where there are none. */
  tables: readonly string[];
  minConfidence: number;
  /** Whether values are shown as they are. */
  isFull: boolean;
  onProgress?: (progress: { tablesDone: number; tablesTotal: number; rowsRead: number }) => void;
};

export type LocalScan = Awaited<ReturnType<typeof scanLocally>>;

/** Connected for the time of a scan, with what is to be told of it. */
type Opened = Scanned & { file?: FileTable; close(): void | Promise<void> };

/**
 * Scans a file or a database without a service, in this process, and stores nothing. Answers the findings worst first.
 * Throws SourceError when the source cannot be read.
 */
export async function scanLocally({ target, tables, minConfidence, isFull, onProgress }: LocalScanOptions) {
  const mode = isFull ? "Full" : "Masked";
  const source = await open(target);
  try {
    const found: (ReturnType<typeof describedFinding> & TableName)[] = [];
    const read: (TableName & {
      rows: number;
      totalRows: number;
      isWhole: boolean;
      columnsLeftOut: number;
    })[] = [];
    const skipped: (TableName & { reason: string })[] = [];
    let tablesTotal = 0;
    let rowsRead = 0;
    const tell = () => onProgress?.({ tablesDone: read.length + skipped.length, tablesTotal, rowsRead });
    const schema = await source.introspect();
    const requested = tables.length === 0 ? null : namedTables(schema, tables);
    const listed: Scanned = { ...source, introspect: async () => schema, samples: mode };
    await scanTables(listed, requested, {
      listed: async (total) => {
        tablesTotal = total;
        tell();
      },
      isDone: () => false,
      skipped: async ({ schemaName, tableName }, reason) => {
        skipped.push({ schemaName, tableName, reason });
        tell();
      },
      read: async ({ schemaName, tableName, rowCount, totalRows, isWhole, columns }) => {
        rowsRead += rowCount;
        const all = schema.items
          .find((each) => each.schemaName === schemaName)
          ?.tables.find((each) => each.tableName === tableName)?.columns.length;
        const columnsLeftOut = (all ?? columns.length) - columns.length + (source.file?.columnsLeftOut ?? 0);
        read.push({ schemaName, tableName, rows: rowCount, totalRows, isWhole, columnsLeftOut });
        tell();
      },
      settled: (table, verified) =>
        source.withSession(async (_, dialect) => {
          const { schemaName, tableName } = table;
          for (const each of verified)
            if (each.failingRows !== null)
              found.push({
                ...describedFinding(dialect, table, each, each.failingRows, mode),
                ...{ schemaName, tableName },
              });
        }),
    });
    const shown = found
      .filter(({ confidence }) => confidence >= minConfidence)
      .sort((a, b) => b.rank - a.rank)
      .map(({ rank: _, condition: __, review: ___, ...each }) =>
        source.file ? ofFile(each, source.file) : each,
      );
    // The schema of a file's table is DuckDB's own affair.
    const named = <T extends TableName>(list: readonly T[]): T[] =>
      source.file ? list.map((each) => ({ ...each, schemaName: "" })) : [...list];
    return {
      findings: shown,
      lessSure: found.length - shown.length,
      ...{ tables: named(read), skipped: named(skipped), rowsRead },
      notes: source.file?.notes ?? [],
    };
  } finally {
    await source.close();
  }
}

async function open(target: string): Promise<Opened> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) {
    if (mayBeDatabase(target)) return openDatabaseFile(target);
    // Loaded for files alone: the command's own package has no DuckDB, and reads some databases without it.
    const { openFile } = await import("../files/file-source.ts");
    const { table, ...source } = await openFile(target);
    return { ...source, file: table };
  }
  const onSnowflake = snowflakeAddress(target);
  if (onSnowflake) return opened("Snowflake", snowflakeConnectionOf(onSnowflake));
  const project = bigQueryAddress(target);
  if (project) return opened("BigQuery", { ...project, serviceAccountKey: await googleKey(project) });
  const address = databaseAddress(target);
  if (!address)
    throw new SourceError(
      "unreachable",
      "The address must look like postgres://user:password@host:5432/database (or mysql://, sqlserver://), snowflake://user@account/database, or bigquery://project/dataset",
    );
  const { kind, connection } = address;
  const trustServerCertificate =
    new URL(target.trim()).searchParams.get("trustServerCertificate")?.toLowerCase() === "true";
  return opened(kind, { ...connection, trustServerCertificate });
}

const memoryMb = 1024;

/** A file of DuckDB or SQLite, with all of its tables, read by the process that reads files for the service. */
async function openDatabaseFile(target: string): Promise<Opened> {
  const unreadable = (message: string) => new SourceError("unreachable", message);
  let real: string;
  try {
    real = await realpath(target);
    const file = await openHandle(real);
    const { buffer } = await file.read({ buffer: Buffer.alloc(16) }).finally(() => file.close());
    if (databaseKindOf(buffer) === null)
      throw unreadable("It is neither a database of DuckDB nor one of SQLite");
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw unreadable(`It cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const { files, openFolder } = await import("../../data-sources/engines/files.ts");
  // Everything else in its folder is left alone.
  const only = { file: basename(real), tableName: "" };
  const source = openFolder(async () => ({ folder: dirname(real), patterns: [], only, memoryMb }));
  return {
    isCopy: true,
    introspect: () => source.introspect(),
    withSession: (work) => source.session((session) => work(session, files.dialect)),
    close: () => source.close(),
  };
}

/** The key is in the file that the address names; its passphrase, which an address would show, in a variable. */
function snowflakeConnectionOf({ token, privateKeyFile, ...connection }: SnowflakeAddress): OpenConnection {
  const login = { ...connection, queryTag: "plumbline" };
  if (token !== undefined) return { ...login, authentication: "OAuth", secrets: { token } };
  if (privateKeyFile === undefined)
    throw new SourceError(
      "unreachable",
      "The address needs ?privateKeyFile= with the file of a private key, or an OAuth access token in place of a password",
    );
  const passphrase = process.env.SNOWFLAKE_PRIVATE_KEY_PASSPHRASE;
  try {
    const privateKey = readFileSync(privateKeyFile, "utf8");
    return {
      ...{ ...login, authentication: "KeyPair" },
      secrets: { privateKey, ...(passphrase && { passphrase }) },
    };
  } catch {
    throw new SourceError("unreachable", "The file of the private key cannot be read");
  }
}

/** The key file that Google's own tools use. An emulator needs none. */
async function googleKey({ endpoint }: BigQueryConnection): Promise<string> {
  const path = process.env.GOOGLE_APPLICATION_CREDENTIALS;
  if (path === undefined && endpoint !== undefined) return "";
  const text = path === undefined ? null : await readFile(path, "utf8").catch(() => null);
  if (text !== null) return text;
  throw new SourceError(
    "unreachable",
    "GOOGLE_APPLICATION_CREDENTIALS must be the path of a service account's key file",
  );
}

function opened(kind: DatabaseKind, connection: OpenConnection): Opened {
  const engine = getEngine(kind);
  if (engine.dialect === null) throw new Error(`${kind} is no database`);
  const { dialect } = engine;
  const source = engine.open(connection);
  return {
    introspect: () => source.introspect(),
    withSession: (work) => source.session((session) => work(session, dialect)),
    close: () => source.close(),
  };
}

/** What was meant by a name; one that no table has stays as it is, and is told as skipped. */
function namedTables({ items }: DatabaseSchema, names: readonly string[]): TableName[] {
  const all = items.flatMap(({ schemaName, tables }) =>
    tables.map(({ tableName }) => ({ schemaName, tableName })),
  );
  return names.flatMap((name) => {
    const exact = all.filter(
      ({ schemaName, tableName }) => tableName === name || `${schemaName}.${tableName}` === name,
    );
    return exact.length > 0 ? exact : [{ schemaName: "", tableName: name }];
  });
}

type Found = Omit<ReturnType<typeof describedFinding>, "rank" | "condition" | "review"> & TableName;

/** Of a file, rows are known by their numbers in it, and nobody else can run SQL on what was made of it. */
function ofFile(finding: Found, { rowColumn }: FileTable): Found {
  const { sample, rule } = finding;
  return {
    ...finding,
    schemaName: "",
    rowsSql: null,
    rule: rule?.type === "CustomSql" ? null : rule,
    sample: sample && { ...sample, ...withFirst(sample, rowColumn) },
  };
}

function withFirst<C extends { name: string }>(sample: { columns: C[]; rows: Cell[][] }, name: string) {
  const place = sample.columns.findIndex((column) => column.name === name);
  if (place < 0) return {};
  const moved = <T>(list: readonly T[]) => [
    ...list.slice(place, place + 1),
    ...list.slice(0, place),
    ...list.slice(place + 1),
  ];
  return { columns: moved(sample.columns), rows: sample.rows.map(moved) };
}
