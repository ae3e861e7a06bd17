import { type Cell, SourceError, type Statement } from "../engine.ts";
import { type Token, tokensOf } from "./tokens.ts";

/**
 * Which functions a statement may call. SQL Server's built-in ones are syntax: they stand in no catalog, and none
 * reaches beyond its arguments but those that the gate refuses as words. What does stand there is somebody's own, or
 * one of the server's functions about itself (`fn_…`, `dm_…`), which read files, logs and other sessions. So a name
 * that the catalog knows as a function is refused, unless it is harmless or an Admin has allowed it.
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

/** What xml, geometry, geography and hierarchyid values are asked, behind a column's name: they call nothing else. */
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

/** What the server said is good for so long. */
const lifetimeMs = 60_000;
const maxKnown = 20_000;
/** In one statement; each is a parameter of the question. */
const maxNames = 1_000;

type Call = { qualifiers: string[]; name: string };

/** What has to be asked of the catalog before a statement may run, and what to do with the answer. */
export type Inquiry = { statement: Statement; accept(rows: readonly (readonly Cell[])[]): void };

/** What one data source's statements may call. */
export class FunctionRules {
  readonly #allowed: ReadonlySet<string>;
  /** Whether the catalog knows a function of that name. */
  #known = new Map<string, boolean>();
  #until = 0;

  /** `allowed`: names, alone or after their schema, in lower case. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed);
  }

  /** null when the statement may run by what is known. Throws SourceError "refused". */
  inquiryOn(sql: string): Inquiry | null {
    if (Date.now() > this.#until || this.#known.size > maxKnown) this.#forget();
    const calls = [...callsIn([...tokensOf(sql)])].filter((call) => !this.#isAllowed(call));
    // In another database the catalog of this one says nothing.
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

/** Which of the names are functions of somebody's own, of whatever schema; each is answered as it was asked. */
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

/** Every name before a parenthesis, with what stands before it and a dot; not the types of casts, nor lists of columns. */
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
        // `other..name`: the schema is left out.
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
