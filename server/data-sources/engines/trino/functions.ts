import { trino } from "../../dialects/trino.ts";
import { SourceError } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Which functions a statement may call: the server's own, which need no catalog in front of their names and reach nothing
 * beyond their arguments. Those of catalogs do, such as `query`, which runs a text on another database, or functions that
 * ask a language model, and so do table functions. An Admin can allow each.
 */

/** Table functions that make rows from their arguments alone. */
const innerTables = new Set(["sequence", "exclude_columns"]);

/** Checks the calls in one data source's statements. */
export class FunctionRules {
  readonly #allowed: ReadonlySet<string>;

  /** `allowed`: names in lowercase. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed);
  }

  /** Throws SourceError "refused". */
  requireSafe(sql: string): void {
    const tokens = [...tokensOf(sql, trino.lexis)];
    for (const [at, token] of tokens.entries()) {
      const name = nameIn(token);
      if (name === null || tokens[at + 1]?.kind !== "open") continue;
      const qualifier = tokens[at - 1]?.kind === "dot" ? (nameIn(tokens[at - 2]) ?? "") : null;
      const isAllowed =
        qualifier === null ? this.#allowed.has(name) : this.#allowed.has(`${qualifier}.${name}`);
      if (isAllowed) continue;
      if (qualifier !== null) throw refused(`${qualifier}.${name}`);
      if (isTableFunction(tokens, at) && !innerTables.has(name)) throw refused(name);
    }
  }
}

/** `TABLE(name(…))` */
function isTableFunction(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 2];
  return tokens[at - 1]?.kind === "open" && before?.kind === "word" && before.text === "table";
}

const nameIn = (token: Token | undefined) =>
  token?.kind === "word" || token?.kind === "quoted" ? token.text : null;

const refused = (name: string) =>
  new SourceError("refused", `The function ${name} is not allowed: an Admin can allow it on the data source`);
