import type { DatabaseConnection, DatabaseSchema, Kind, RestConnection } from "../schema.ts";

/** The SQL that an engine speaks; rules are written once per dialect. */
export type Dialect = "postgresql" | "mysql" | "sqlserver";

/** What can be bound to a statement. */
export type Parameter = string | number | boolean | null;

/**
 * One statement that reads. Values are bound, never pasted: the text names them by the engine's `placeholder`,
 * and a cast there says what they are (`$1::numeric`).
 */
export type Statement = {
  sql: string;
  parameters: readonly Parameter[];
  /**
   * The same with its texts compared by one collation, for where the server refuses to compare those of two. Only
   * SQL Server ever does (its error 468).
   */
  sqlAcrossCollations?: string | undefined;
  /**
   * It answers one row by its form, as an aggregate does. Then it needs not be fetched in parts, which keeps some
   * servers from working on it in parallel. The limits hold all the same.
   */
  answersOneRow?: boolean;
  /**
   * The product wrote it, with names quoted and values bound, so which functions it calls is not judged: a team's
   * overload of `max` must not fail a rule. Never set for text that a person, a model or a file has written.
   */
  ownSql?: boolean;
};

/** A value that JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** One request that reads from a web API, with its parameters bound. */
export type SourceRequest = {
  method: "GET" | "POST";
  /** Below the base URL of the source, and never beside it. */
  path: string;
  query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON, by a POST. */
  body?: Json | undefined;
  /** Where in the answer the rows are, as in `data.items` or `data[0].items`; without it they are the answer. */
  rowsPath?: string | undefined;
};

/** Counted on the way in: what goes beyond them is never kept. */
export type Limits = {
  /** For all of it, the counting included. */
  timeoutMs: number;
  maxRows: number;
  maxBytes: number;
  /**
   * Says how many rows there are in all, when there are more than are kept. The statement runs to its end then,
   * so it is for who needs the number. A row that alone is beyond `maxBytes` fails the statement.
   */
  countAll?: boolean;
};

/**
 * One value of a row. Integers beyond 32 bits, decimals, dates and times are exact text, in UTC where zoned. JSON has
 * no types of integers: those of a REST API are text where a column has one beyond 2^53.
 */
export type Cell = string | number | boolean | null;

export type ResultSet = {
  /** In their order; names may repeat, or be empty. `type` is the engine's own name for the type. */
  columns: { name: string; type: string }[];
  rows: Cell[][];
  /** Whether rows were left behind because of `maxRows` or `maxBytes`. */
  truncated: boolean;
  /** How many rows there are: those in `rows`, or, when `truncated` and `countAll` was asked for, all of them. */
  rowCount: number;
};

/** One borrowed connection. Nothing that a statement leaves behind reaches the next statement or borrower. */
export type Session = {
  /** Runs one statement that only reads. Throws SourceError. */
  read(statement: Statement, limits: Limits): Promise<ResultSet>;
  /**
   * Has the server plan one statement without running it, and throws for its names, types and syntax what `read`
   * would throw. An engine that cannot do that leaves it out, and mistakes are found by running. `scans` is false
   * when the server would find the answer in an index, and true when it would read a table or nothing is known.
   * What it expects the statement to take is told to who asks for it, as far as the engine says so.
   */
  check?(statement: Statement, limits: CheckLimits): Promise<Check>;
};

export type CheckLimits = Pick<Limits, "timeoutMs"> & { estimates?: boolean };

export type Check = {
  scans: boolean;
  /** In the engine's own units, which say something only beside others of the same server. */
  estimatedCost?: number;
  /** How many rows would be answered; of engines that say no more, how many would be gone through for them. */
  estimatedRows?: number;
};

/** One data source, connected: a small pool. Everything throws SourceError. */
export type Source = {
  /** `canWrite`: whether the login could change anything, judged by its rights and not by trying, where it has any. */
  test(): Promise<{ serverVersion?: string; canWrite?: boolean; message?: string }>;
  /** What the login may read, without the engine's own schemas, by name. */
  introspect(): Promise<DatabaseSchema>;
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Throws "refused" for SQL that `read` would refuse, as far as its text alone says so: nothing is connected. Only
   * where there is a dialect.
   */
  gate?(sql: string): void;
  /** Makes one request and reads the rows in its answer; only where `capabilities.requests` is. */
  request?(request: SourceRequest, limits: Limits): Promise<ResultSet>;
  /** Ends all connections, and with them what still runs. */
  close(): Promise<void>;
};

export type ConnectionWithPassword = DatabaseConnection & { password: string };
export type ConnectionWithSecretHeaders = RestConnection & { secretHeaders: Record<string, string> };
/** A connection of any kind, in the clear. */
export type OpenConnection = ConnectionWithPassword | ConnectionWithSecretHeaders;

export type SourceOptions = {
  /** Functions that SQL may call beyond the safe built-in ones: `name` or `schema.name`, in lower case. */
  allowedFunctions?: readonly string[];
};

/** One kind of data source. What engines differ in is asked here, never by comparing `kind`. */
export type Engine = {
  kind: Kind;
  label: string;
  /** null for what does not speak SQL. */
  dialect: Dialect | null;
  defaultPort: number;
  /** Whether connections are encrypted where nobody has said. */
  encryptsByDefault: boolean;
  /** The host, and perhaps the port, in what the engine's own tools call a server; as given where left out. */
  serverNamed?(text: string): { host: string; port?: number };
  capabilities: {
    /** A data contract can target its tables. */
    contracts: boolean;
    /** The server itself refuses writes in a reading transaction. */
    readOnlyTransactions: boolean;
    /** It answers requests rather than SQL. */
    requests: boolean;
  };
  /** Where a table is when nobody says. */
  defaultSchema(connection: DatabaseConnection): string;
  /** Makes one identifier of any text: quoted, with the closing quote doubled. A dot in it is just a dot. */
  quote(identifier: string): string;
  /** How the text of a statement names its n-th parameter, from 1. */
  placeholder(position: number): string;
  /** Of the engine's own kind of connection. */
  open(connection: OpenConnection, options?: SourceOptions): Source;
};

/**
 * - `unreachable`: no connection, or it broke: host, port, TLS, login, database.
 * - `timeout`: the statement took too long and was cancelled on the server.
 * - `refused`: a gate does not let the statement through; nothing was sent.
 * - `statement`: the server refused it or could not finish it.
 */
export type SourceErrorKind = "unreachable" | "timeout" | "refused" | "statement";

/** A data source did not do what was asked. `message` is fit to show: no host, user, password or SQL of ours. */
export class SourceError extends Error {
  override readonly name = "SourceError";

  constructor(
    readonly kind: SourceErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/** Sources outlive the module that opened them, and each door loads its own copy of this class. */
export function isSourceError(error: unknown): error is SourceError {
  return error instanceof Error && error.name === "SourceError";
}
