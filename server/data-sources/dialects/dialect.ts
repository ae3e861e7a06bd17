import type { PublicConnection } from "../connections/connection.ts";
import type { DatabaseKind } from "../kinds.ts";
import type { Comparison } from "./comparison.ts";

/**
 * Describes one kind of SQL database, for all code that writes or reads its SQL: rules, profiles, the planner, data
 * contracts as code, and pages in the browser. A feature that an engine lacks is a compile error. Nothing here connects
 * to anything; see `engines/`.
 */
export type Dialect = {
  name: DialectName;
  kind: DatabaseKind;
  /** The display name. */
  label: string;
  /** How a server of this kind is reached; null if there is none. */
  connection: ConnectionFacts | null;
  /** The schema of a table whose name comes without one. */
  defaultSchema(connection: PublicConnection): string;
  lexis: Lexis;

  /** Turns any text into one identifier: quoted, with closing quotes doubled. A dot has no special meaning. */
  quote(identifier: string): string;
  /** A canonical form: equal for names that refer to the same table on the server. */
  foldName(name: string): string;
  /** The placeholder of a statement's n-th parameter, from 1. */
  placeholder(position: number): string;
  /** A value as a literal, for SQL without bound parameters; null if it has none. */
  literal(value: string | number | boolean): string | null;

  /** The kind of a column type as reported by the database. */
  kindOf(type: string): ColumnKind;
  /** Whether rows can be grouped by a column of this type. */
  canGroup(type: string): boolean;

  /**
   * A query for the columns of a table that the login may read, in order: name, type as the engine writes it, and YES
   * or NO for whether it may be NULL. No rows if there is no such table.
   */
  tableColumns(table: TableReference): string;

  /** Counts beyond 32 bits. Without an expression, counts rows. */
  count(expression?: string): string;
  countWhere(condition: string): string;
  countNulls(value: string): string;
  /** Limits a SELECT: one of the two is empty. `top` ends with a space and `limit` begins with one. */
  limit(maxRows: number): { top: string; limit: string };
  /** A condition as a selectable value. */
  asTruth(condition: string): string;
  /** A condition that is always false. */
  never: string;
  /** Whether a query that begins with WITH can be in parentheses. */
  nestsWith: boolean;
  /** Makes texts of two collations comparable; null if the server compares them without help. */
  commonCollation: string | null;

  /** The server's clock, in UTC if it has no zone. */
  now: string;
  ago(amount: number, unit: "minutes" | "days"): string;
  /** A column of dates or times, to compare with `now`, `ago`, and moments; BigQuery compares only values of one type. */
  moment(value: string): string;
  /** An exact number. Values without a zone count as UTC; values that are not times give NULL or an error. */
  ageInSeconds(moment: string): string;
  /** A whole number, for SQL that people read. */
  ageInMinutes(moment: string): string;
  /** The condition that a time is finite; null if the engine has no infinite times. */
  isFiniteTime(moment: string): string | null;
  /** The expression if the column can be reliably read as times, and NULL for others. */
  ifTime(column: ScopedColumn, expression: string): string;

  /** A text with every digit of a value, whatever the driver does with its type. */
  exactText(expression: string, kind: ColumnKind): string;
  /** A computed number, as exact text or as something the driver returns as exact text. */
  exactNumber(expression: string): string;
  /** In characters. */
  length(text: string): string;
  /** The first characters of a text; all of a shorter one. */
  start(text: string, characters: number): string;
  /** A value as text, for pattern matching. */
  asText(value: string): string;
  /** The same, without the padding of fixed-width columns. */
  writtenText(column: ScopedColumn): string;

  /** Concatenates texts. */
  concat(...texts: string[]): string;
  /** A form in which two texts are equal only if every character is, including case, accents, and trailing blanks. */
  exactly(text: string): string;
  /** The condition that a text contains another one, which is not empty, exactly as it is written; unknown for NULL. */
  contains(text: string, other: string): string;
  /** The condition that a number is finite, unknown for NULL; null if the engine has only finite numbers. */
  isFiniteNumber(value: string): string | null;
  /** A moment in UTC, written as ISO 8601 without a zone, to compare with dates and times. */
  momentLiteral(iso: string): string;
  /** The condition that two values are equal, where NULL equals NULL. */
  isSame(one: string, other: string): string;
  /** The number that a text is; NULL, and never an error, for any other text. */
  numberIn(text: string): string;
  /**
   * The moment in UTC that a text is, if it is an ISO 8601 date, with or without a time; NULL, and never an error, for
   * any other text.
   */
  momentIn(text: string): string;

  pattern: {
    /** The pattern syntax: regular expressions, or LIKE wildcards. */
    language: "regex" | "like";
    /** Whether rows that miss it can be counted in an aggregate, so that it shares a scan; SQL Server allows no subquery there. */
    isCountable: boolean;
    /** The condition that a value exists and its text does not match. */
    misses(value: string, text: string, pattern: string): string;
    /** The condition that a text matches a regular expression, unknown for NULL; null if the engine has none. */
    matches(text: string, pattern: string): string | null;
    /** An expression that fails if the server rejects the pattern. */
    probe(bind: (value: string) => string, pattern: string): string;
  };

  /** The maximum size of a DECIMAL; null if every bound of a rule fits. */
  maxDecimal: DecimalSize | null;
  /** Converts a bound text to an exact number, of a type that holds every digit. */
  decimal(placeholder: string, type: string): string;
  /**
   * Converts a bound text to a whole number, which columns of these kinds are compared with faster than with an exact
   * number; null if that makes no difference.
   */
  whole: { suits: readonly ColumnKind[]; cast(placeholder: string): string } | null;
  /**
   * Whether counting the different values of a column of this type costs much less than grouping by it, so that it is worth
   * asking first whether any value repeats.
   */
  countsDifferentFast(type: string): boolean;
  /** Converts a bound number to double precision. */
  double(placeholder: string): string;
  /** The condition that a number is out of bounds; unknown for NULL. */
  isOutside(column: ScopedColumn, beyond: Beyond): string;
  /** The number of values that the server would read as a number although they are none; the others are an error. */
  countUnreadable(column: ScopedColumn): string;
  /** The number of values out of bounds; NULL if the column contains a value that is not a number. */
  countOutside(column: ScopedColumn, beyond: Beyond): string;

  /** How its rows are compared with those of any engine. */
  comparison: Comparison;

  /**
   * A query for the statistics that the server keeps anyway, of each table that the login may see, without partitions: its
   * schema, its name, the estimated number of rows, and a text that is another one once its rows have changed. Either is
   * NULL where the server does not know.
   */
  tableStatistics: string;
  /**
   * A query for how each view and materialized view is defined: its schema, its name, its SQL (NULL if the login may not
   * see it), and the table that it writes into, if that is another (as SQL, or NULL).
   */
  viewDefinitions: string;
  /** The mean of a number, as a double. */
  mean(value: string): string;
  /** The standard deviation of a number, of all rows, as a double. */
  deviation(value: string): string;

  /** Whether the server's row estimates are accurate enough to show. */
  hasCloseEstimates: boolean;
  /** Whether rows from all over a table can be sampled without reading all of it. */
  canSpread: boolean;
  /**
   * Some rows of a table. If `spreadOver` gives its row count, they come from all over it, and are the same ones each
   * time while the table stays as it is: what was found would otherwise come and go.
   */
  someRows(
    columns: readonly string[],
    table: string,
    options: { maxRows: number; spreadOver: number | null },
  ): string;

  /** Notes for a language model. Each example returns failing rows only. */
  prompt: { name: string; advice: string };
};

/** A dialect whose databases are reached over a network. */
export type ServerDialect = Dialect & { connection: ConnectionFacts };

export type DialectName =
  | "postgresql"
  | "mysql"
  | "sqlserver"
  | "clickhouse"
  | "trino"
  | "snowflake"
  | "bigquery"
  | "duckdb";

export type ColumnKind = "integer" | "decimal" | "float" | "text" | "uuid" | "date" | "time" | "other";

export type DecimalSize = {
  maxDigits: number;
  /** How many of them may follow the decimal point. */
  maxPlaces: number;
};

/** A table in a statement, for queries of the database's catalog; their parameters are bound in the order of the text. */
export type TableReference = {
  schemaName: string;
  tableName: string;
  /** The table, qualified and quoted. */
  table: string;
  bind(value: string | number): string;
};

/**
 * A column of a table in a statement, for expressions that query the database's catalog about it; their parameters are
 * bound in the order of the text.
 */
export type ScopedColumn = TableReference & {
  name: string;
  /** As written in the statement: quoted, and qualified if needed. */
  value: string;
  /** As the database wrote it when its schema was last read; missing if that is not known. It may have changed since. */
  type?: string | undefined;
};

/**
 * Conditions that a value is outside a rule's bounds. Using a bound binds it, so call each one where the text needs it.
 */
export type Beyond = {
  exact(value: string): string;
  /** A float counts as its shortest decimal representation. */
  float(value: string, precision: "single" | "double"): string;
  hasUpper: boolean;
};

export type ConnectionFacts = {
  defaultPort: number;
  /** The URL schemes of this kind of database; the first is the usual one. */
  schemes: readonly [string, ...string[]];
  /** Whether connections are encrypted by default. */
  encryptsByDefault: boolean;
  /** Whether a URL requests encryption. */
  encryptsBy(parameters: URLSearchParams): boolean;
  /** The host, and the port if it is included, in a server's name as the engine's own tools write it. */
  serverNamed(text: string): { host: string; port?: number };
  /** The object whose tables a login is granted rights on as a whole. */
  namespace: "schema" | "database" | "catalog";
  /** What the field for the database asks for. */
  databaseField: { label: string; hint?: string };
  /** The database's own name in what that field holds. */
  databaseNamed(text: string): string;
  /** Whether the server takes a password only over TLS. */
  passwordNeedsTls: boolean;
  /** The statements that create a login that can only read one schema of one database. */
  readOnlyLogin(login: { user: string; database: string }): readonly string[];
};

/** What a scanner needs to split a text into words, quoted names, strings, and comments. Patterns are sticky. */
export type Lexis = {
  space: RegExp;
  /** A keyword or an unquoted name, or a number if the engine's names may begin with digits. */
  word: RegExp;
  /** The form in which unquoted words are compared. */
  foldWord(word: string): string;
  /** The form in which quoted names are compared, without their quotes. */
  foldQuoted(name: string): string;
  /** A number, unless matched as a word. */
  number: RegExp | null;
  /** Whether a word can follow a number directly, as in `1into t`. */
  wordsMayFollowNumbers: boolean;
  /** From its start to the end of the line, exclusive. */
  lineComment: RegExp;
  /** A character in a comment that might end a line for the server but not for this scanner. */
  doubtfulLineEnd: RegExp | null;
  /** Whether block comments nest. */
  commentsNest: boolean;
  /** The start of executable code in comment form, after `/*`. */
  executableComment: RegExp | null;
  /** In a hint (`/*+`), what lifts limits or changes settings. */
  liftingHint: RegExp | null;
  quotations: readonly Quotation[];
  /** Whether `U&"…"` is a name with escapes. */
  unicodeNames: boolean;
  /** The opening of a string `$tag$ … $tag$`; null if the engine has none. */
  dollarQuote: RegExp | null;
  /** Whether adjacent signs form operators, each as long as possible. */
  operators: boolean;
};

/** Text that ends with its own quote. */
export type Quotation = {
  opening: string;
  closing: string;
  holds: "string" | "name";
  /** Whether a backslash escapes the next character. */
  backslashEscapes: boolean;
  /** Whether a doubled quote is part of the text, as it is by default. */
  doubles?: false;
  /** The one or two letters that must come before it, in lowercase; any case is accepted. */
  prefix?: string;
};
