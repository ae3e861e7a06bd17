import { sqlserver } from "../../dialects/sqlserver.ts";
import { type Cell, SourceError, type Statement } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Which functions a statement may call. SQL Server's built-in functions are syntax: they are not in the catalog, and
 * none accesses anything but its arguments, except those that the gate rejects as words. Functions in the catalog are
 * user-defined, or system functions (`fn_…`, `dm_…`), which read files, logs, and other sessions. So a name that the
 * catalog knows as a function is rejected, unless it is harmless or allowed by an Admin.
 */
const aboutTheServer = /^(fn|dm)_/;
const harmless = new Set([
  "dm_db_index_physical_stats",
  "dm_db_stats_histogram",
  "dm_db_stats_properties",
  "fn_builtin_permissions",
  "fn_cdc_get_max_lsn",
  "fn_cdc_get_min_lsn",
  "fn_helpcollations",
  "fn_my_permissions",
]);

/** Methods of xml, geometry, geography, and hierarchyid values, called on a column: they call nothing else. */
const methods = new Set(
  `
  value query exist nodes
  tostring getancestor getdescendant getlevel getreparentedvalue isdescendantof
  asbinaryzm asgml astextzm bufferwithcurves bufferwithtolerance curvetolinewithtolerance envelopeangle
  envelopecenter filter instanceof isvaliddetailed makevalid numrings reduce ringn shortestlineto
  `
    .trim()
    .split(/\s+/),
);
const isMethod = (name: string) => methods.has(name) || /^st[a-z]/.test(name);

/** How long the server's answers are cached. */
const lifetimeMs = 60_000;
const maxKnown = 20_000;
/** In one statement; each is a parameter of the catalog query. */
const maxNames = 1_000;

type Call = { qualifiers: string[]; name: string };

/** The catalog query to run before a statement, and a handler for its result. */
export type Inquiry = { statement: Statement; accept(rows: readonly (readonly Cell[])[]): void };

/** Checks the calls in one data source's statements. */
export class FunctionRules {
  readonly #allowed: ReadonlySet<string>;
  /** Whether the catalog has a function of that name. */
  #known = new Map<string, boolean>();
  #until = 0;

  /**
   * `allowed`: names, optionally qualified by schema, in lowercase.
   */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed);
  }

  /** null if the statement may run according to the cache. Throws SourceError "refused". */
  inquiryOn(sql: string): Inquiry | null {
    if (Date.now() > this.#until || this.#known.size > maxKnown) this.#forget();
    const calls = [...callsIn([...tokensOf(sql, sqlserver.lexis)])].filter((call) => !this.#isAllowed(call));
    // This database's catalog does not cover another database.
    for (const { qualifiers, name } of calls)
      if (aboutTheServer.test(name) || (qualifiers.length > 1 && !isMethod(name)))
        throw refused([...qualifiers, name]);
    const names = [...new Set(calls.map(({ name }) => name))];
    if (names.length > maxNames) throw new SourceError("refused", "The statement calls too many functions");
    const judge = () => {
      for (const { qualifiers, name } of calls)
        if (this.#known.get(name)) throw refused([...qualifiers, name]);
    };
    judge();
    const unknown = names.filter((name) => !this.#known.has(name));
    if (unknown.length === 0) return null;
    return {
      statement: inquiryOf(unknown),
      accept: (rows) => {
        const found = new Set(rows.map(([name]) => String(name)));
        for (const name of unknown) this.#known.set(name, found.has(name));
        judge();
      },
    };
  }

  #isAllowed({ qualifiers, name }: Call): boolean {
    const schema = qualifiers.at(-1) ?? "dbo";
    return harmless.has(name) || this.#allowed.has(name) || this.#allowed.has(`${schema}.${name}`);
  }

  #forget() {
    this.#known = new Map();
    this.#until = Date.now() + lifetimeMs;
  }
}

/** Which of the names are user-defined functions in any schema; each is returned as given. */
function inquiryOf(names: readonly string[]): Statement {
  const asked = names.map((_, index) => `(@p${index + 1})`).join(", ");
  const sql = `
select asked.name from (values ${asked}) as asked (name)
where exists (
  select 1 from sys.objects as o
  where o.name = asked.name collate database_default and o.type in ('FN', 'IF', 'TF', 'FS', 'FT', 'AF'))`;
  return { sql, parameters: names };
}

const nameIn = (token: Token | undefined) =>
  token?.kind === "word" || token?.kind === "quoted" ? token.text : null;

/** Every name before a parenthesis, with its qualifiers, except types in casts and column lists. */
function* callsIn(tokens: readonly Token[]): Generator<Call> {
  for (const [at, token] of tokens.entries()) {
    const name = nameIn(token);
    if (name === null || tokens[at + 1]?.kind !== "open") continue;
    const before = tokens[at - 1];
    if (before?.kind === "word" && before.text === "as") continue;
    const qualifiers: string[] = [];
    for (let dot = at - 1; tokens[dot]?.kind === "dot"; dot -= 2) {
      const qualifier = nameIn(tokens[dot - 1]);
      if (qualifier === null) {
        // `other..name`: the schema is omitted.
        qualifiers.unshift("");
        dot++;
      } else qualifiers.unshift(qualifier);
    }
    yield { qualifiers, name };
  }
}

const refused = (parts: readonly string[]) =>
  new SourceError(
    "refused",
    `The function ${parts.filter(Boolean).join(".")} is not allowed: an Admin can allow it on the data source`,
  );
