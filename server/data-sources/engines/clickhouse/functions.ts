import { clickhouse } from "../../dialects/clickhouse.ts";
import { type Cell, SourceError, type Statement } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Which functions a statement may call: the server's own, except those that reach files, other servers, or language
 * models. Table functions (`url`, `file`, `remote`, `s3`, …) are not in the catalog of functions, so any but the few
 * below are rejected, as are functions that a team has defined, which may run programs. An Admin can allow each.
 */

/** Table functions that make rows from their arguments alone. */
const innerTables = new Set(
  "numbers numbers_mt zeros zeros_mt generateseries generate_series generaterandom values view null".split(
    " ",
  ),
);

/** Built-in functions that reach beyond their arguments and the server's tables. */
const outward = new Set(["file", "catboostevaluate", "naivebayesclassifier"]);
const isOutward = (name: string) => outward.has(name) || /^ai[A-Z_]/i.test(name) || /^llm/i.test(name);

/** Before a parenthesis these are syntax, not functions. */
const syntax = new Set(
  `
  all and any anti array as asof between by case cast columns cross cube date distinct else end except exists extract
  filter from full global group grouping having if ilike in inner intersect interval is join lateral left like limit
  not null offset on or order outer over partition prewhere qualify recursive replace right rollup row rows select
  semi sets settings substring then timestamp top trim tuple union using values when where window with within apply
  nullable lowcardinality array map decimal decimal32 decimal64 decimal128 decimal256 datetime datetime64 time64
  fixedstring enum enum8 enum16 nested variant
  `
    .trim()
    .split(/\s+/),
);

/** How long the server's answers are cached. */
const lifetimeMs = 60_000;
const maxKnown = 20_000;
const maxNames = 500;

/** The catalog query to run before a statement, and a handler for its result. */
export type Inquiry = { statement: Statement; accept(rows: readonly (readonly Cell[])[]): void };

/** Checks the calls in one data source's statements. */
export class FunctionRules {
  readonly #allowed: ReadonlySet<string>;
  /** Whether the server has a function of its own by that name. */
  #known = new Map<string, boolean>();
  #until = 0;

  /** `allowed`: names in lowercase. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed);
  }

  /** null if the statement may run according to the cache. Throws SourceError "refused". */
  inquiryOn(sql: string): Inquiry | null {
    if (Date.now() > this.#until || this.#known.size > maxKnown) this.#forget();
    const names = [...callsIn([...tokensOf(sql, clickhouse.lexis)])].filter((name) => !this.#isAllowed(name));
    for (const name of names) if (isOutward(name)) throw refused(name);
    if (names.length > maxNames) throw new SourceError("refused", "The statement calls too many functions");
    const judge = () => {
      for (const name of names) if (this.#known.get(name) === false) throw refused(name);
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

  #isAllowed(name: string): boolean {
    return this.#allowed.has(name) || innerTables.has(name);
  }

  #forget() {
    this.#known = new Map();
    this.#until = Date.now() + lifetimeMs;
  }
}

/** Which of the names, in lowercase, are functions that came with the server, also with a combinator, as in `sumIf`. */
const inquiryOf = (names: readonly string[]): Statement => ({
  sql: `
select asked.name from (select arrayJoin([${names.map((_, index) => clickhouse.placeholder(index + 1)).join(", ")}]) as name) as asked
where asked.name in (select lower(name) from system.functions where origin = 'System')
  or exists (
    select 1 from system.functions as f
    where f.origin = 'System' and f.is_aggregate = 1 and startsWith(asked.name, lower(f.name))
      and match(substring(asked.name, length(f.name) + 1), '${combinators}'))`,
  parameters: names,
});

const combinators =
  "^(if|array|map|simplestate|state|merge|mergestate|foreach|distinct|ordefault|ornull|resample|argmin|argmax)+$";

const nameIn = (token: Token | undefined) =>
  token?.kind === "word" || token?.kind === "quoted" ? token.text : null;

/** Every name before a parenthesis, in lowercase and once, except syntax and the names of a WITH and its columns. */
function callsIn(tokens: readonly Token[]): ReadonlySet<string> {
  const calls = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    const name = nameIn(token)?.toLowerCase();
    if (name === undefined || tokens[at + 1]?.kind !== "open") continue;
    if (token.kind === "word" && syntax.has(name)) continue;
    calls.add(name);
  }
  return calls;
}

const refused = (name: string) =>
  new SourceError("refused", `The function ${name} is not allowed: an Admin can allow it on the data source`);
