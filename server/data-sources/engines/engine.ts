import type { BigQueryConnection } from "../connections/bigquery.ts";
import type { DatabaseConnection } from "../connections/database-server.ts";
import type { FolderConnection, HttpsConnection, S3Connection } from "../connections/files.ts";
import type { RestConnection } from "../connections/rest-api.ts";
import type { SnowflakeConnection } from "../connections/snowflake.ts";
import type { Cost } from "../cost.ts";
import type { DatabaseSchema } from "../database-schema.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { DatabaseKind, Kind } from "../kinds.ts";

/** A value that can be bound to a statement. */
export type Parameter = string | number | boolean | null;

/**
 * One read-only statement. Values are bound, never interpolated: the text names them by the engine's `placeholder`,
 * with casts for their types (`$1::numeric`).
 */
export type Statement = {
  sql: string;
  parameters: readonly Parameter[];
  /**
   * The same statement with its texts compared by one collation, for when the server refuses to compare texts of two.
   * Only SQL Server ever does (error 468).
   */
  sqlAcrossCollations?: string | undefined;
  /**
   * It always returns one row, like an aggregate, so it need not be fetched in batches, which would keep some servers
   * from running it in parallel. The limits still apply.
   */
  answersOneRow?: boolean;
  /**
   * Written by the product, with quoted names and bound values, so its function calls are not checked: a team's
   * overload of `max` must not fail a rule. Never set this for text from a user, a model, or a file.
   */
  ownSql?: boolean;
};

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** One read request to a web API, with its parameters filled in. */
export type SourceRequest = {
  method: "GET" | "POST";
  /** Always below the base URL of the source. */
  path: string;
  query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON, by a POST. */
  body?: Json | undefined;
  /** The path to the rows in the response, such as `data.items` or `data[0].items`; by default the whole response. */
  rowsPath?: string | undefined;
};

/** Counted as data arrives; anything beyond them is dropped. */
export type Limits = {
  /** For the whole statement, including counting. */
  timeoutMs: number;
  maxRows: number;
  maxBytes: number;
  /**
   * Counts all rows if there are more than are kept. The statement then runs to its end, so only set it if the number
   * is needed. A single row over `maxBytes` fails the statement.
   */
  countAll?: boolean;
  /**
   * What the statement may cost at most, in the unit of `reportCost`: what is left of the data source's budget for
   * today. An engine that can have the server end a statement by its cost does so.
   */
  maxCost?: number | undefined;
  /** Of a database: when it is aborted, the statement is cancelled on the server, and its reason is thrown. */
  signal?: AbortSignal | undefined;
};

/**
 * A cell of a row. Integers beyond 32 bits, decimals, dates, and times are exact text, in UTC if zoned. JSON has no
 * integer types: a REST API's integers are text if the column contains one beyond 2^53.
 */
export type Cell = string | number | boolean | null;

export type ResultSet = {
  /** In order; names may repeat or be empty. `type` is the engine's own name for the type. */
  columns: { name: string; type: string }[];
  rows: Cell[][];
  /** Whether rows were dropped because of `maxRows` or `maxBytes`. */
  truncated: boolean;
  /** The number of rows: those in `rows` or, with `countAll` and `truncated`, all of them. */
  rowCount: number;
};

/** One borrowed connection. A statement leaves nothing behind for the next statement or borrower. */
export type Session = {
  /** Runs one read-only statement. Throws SourceError. */
  read(statement: Statement, limits: Limits): Promise<ResultSet>;
  /**
   * Has the server plan one statement without running it, and throws what `read` would throw for its names, types, and
   * syntax. Undefined if the engine cannot do that; then mistakes are only found by running. `scans` is false if the
   * server would find the answer in an index, and true if it would read a table or this is unknown. Estimates are
   * returned on request, if the engine has them.
   */
  check?(statement: Statement, limits: CheckLimits): Promise<Check>;
  /**
   * How the server would run one statement, without running it. Throws like `check`. Undefined if the engine does not
   * describe its plans as JSON.
   */
  explain?(statement: Statement, limits: Pick<Limits, "timeoutMs">): Promise<PlanNode>;
};

/** One operation of a plan, with the operations that it reads from. Numbers are the engine's estimates. */
export type PlanNode = {
  /** As the engine names it. */
  operation: string;
  /** What it works on: a table, an index, a condition. */
  detail: string | null;
  /** The rows that it returns or reads. */
  rows: number | null;
  /** In the engine's cost units, with everything below; only comparable on the same server. */
  cost: number | null;
  inputs: PlanNode[];
};

export type CheckLimits = Pick<Limits, "timeoutMs"> & { estimates?: boolean };

export type Check = {
  scans: boolean;
  /** In the engine's cost units, only comparable on the same server. */
  estimatedCost?: number;
  /** The number of rows returned, or, on engines that do not estimate that, rows read. */
  estimatedRows?: number;
  /** The number of bytes read, on engines that bill by it. */
  estimatedBytes?: number;
};

/**
 * One connected data source. Each open session has a connection; slots.ts limits how many there can be. Everything
 * throws SourceError.
 */
export type Source = {
  /** `canWrite`: whether the login could change anything, by its rights and without trying; absent if it has none. */
  test(): Promise<{ serverVersion?: string; canWrite?: boolean; message?: string }>;
  /** What the login may read, without the engine's system schemas, by name. `signal` is that of `Limits`. */
  introspect(signal?: AbortSignal): Promise<DatabaseSchema>;
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Throws "refused" for SQL that `read` would reject based on its text alone, without connecting. Only with a dialect.
   */
  gate?(sql: string): void;
  /** Makes one request and reads the rows from its response; only without a dialect. */
  request?(request: SourceRequest, limits: Limits): Promise<ResultSet>;
  /** Closes all connections, which ends running statements. */
  close(): Promise<void>;
};

export type ConnectionWithPassword = DatabaseConnection & { password: string };
export type ConnectionWithSecretHeaders = RestConnection & { secretHeaders: Record<string, string> };
export type S3ConnectionWithSecret = S3Connection & {
  secretAccessKey: string;
  /** Only of a temporary access key. */
  sessionToken?: string | undefined;
};
export type BigQueryConnectionWithKey = BigQueryConnection & { serviceAccountKey: string };
export type HttpsConnectionWithSecret = HttpsConnection & { secretHeaders: Record<string, string> };
/** Which of the secrets there are depends on how it signs in. */
export type SnowflakeSecrets = { privateKey?: string; passphrase?: string; token?: string };
export type SnowflakeConnectionWithSecret = SnowflakeConnection & { secrets: SnowflakeSecrets };
/** A connection of any kind, with its secret decrypted. */
export type OpenConnection =
  | ConnectionWithPassword
  | BigQueryConnectionWithKey
  | FolderConnection
  | S3ConnectionWithSecret
  | HttpsConnectionWithSecret
  | SnowflakeConnectionWithSecret
  | ConnectionWithSecretHeaders;

export type SourceOptions = {
  /** The data source's own, if it is stored: what is kept on disk for it is found by this. */
  id?: number;
  /** Whose data source it is; null or absent if there is no project. */
  projectId?: number | null;
  /** Functions that SQL may call besides the safe built-in ones: `name` or `schema.name`, in lowercase. */
  allowedFunctions?: readonly string[];
  /**
   * Called by an engine of a kind with a `costUnitOf` for each statement that the server has run, also one that failed
   * or was cancelled, in the call that ran it and before that returns. It stores the cost, and never rejects.
   */
  reportCost?: (cost: Cost) => Promise<void>;
};

type EngineOf<K extends Kind, D extends Dialect | null> = {
  kind: K;
  dialect: D;
  /** A connection of the engine's own kind. */
  open(connection: OpenConnection, options?: SourceOptions): Source;
};

/** How to connect to a kind of database. Its SQL is described by its dialect. */
export type DatabaseEngine = EngineOf<DatabaseKind, Dialect>;
/** The same for a kind that takes requests rather than SQL. */
export type RequestEngine = EngineOf<Exclude<Kind, DatabaseKind>, null>;
export type Engine = DatabaseEngine | RequestEngine;

/**
 * - `unreachable`: no connection, or it broke: host, port, TLS, login, database.
 * - `timeout`: the statement took too long and was cancelled on the server.
 * - `refused`: a gate rejected the statement; nothing was sent.
 * - `statement`: the server rejected it or could not complete it.
 */
export type SourceErrorKind = "unreachable" | "timeout" | "refused" | "statement";

/** A place in a statement, from 1; the column is null if the server only names the line. */
export type SqlPlace = { line: number; column: number | null };

/** A data source failed. `message` is safe to show: no host, user, password, or SQL of ours. */
export class SourceError extends Error {
  override readonly name = "SourceError";
  readonly kind: SourceErrorKind;
  /** Where in the statement, as it was sent. */
  readonly sentPlace: SqlPlace | null;
  /** The same in the text that a person wrote, with the step if there are several. */
  readonly writtenPlace: (SqlPlace & { step?: number }) | null;

  constructor(
    kind: SourceErrorKind,
    message: string,
    { sentPlace = null, writtenPlace = null }: Partial<Pick<SourceError, "sentPlace" | "writtenPlace">> = {},
  ) {
    super(message);
    this.kind = kind;
    this.sentPlace = sentPlace;
    this.writtenPlace = writtenPlace;
  }
}

/**
 * The data source's budget for today is spent: no further statement runs. Of the kind "unreachable", so that work on a
 * data source ends, and rules are neither passed nor failed by their data.
 */
export class BudgetSpent extends SourceError {
  constructor(message: string) {
    super("unreachable", message);
  }
}

export const isSourceError = (error: unknown): error is SourceError => error instanceof SourceError;
