import { bigquery } from "../../dialects/bigquery.ts";
import { SourceError } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Which functions a statement may call. Those of BigQuery are allowed, unless they reach other systems or ask a model,
 * which costs by itself. Functions that your team has defined are named with their dataset; they can be remote, so an Admin
 * allows each one on the data source.
 */

/** Functions of BigQuery whose names have a prefix. `ML.`, `AI.`, and `OBJ.` are not among them. */
const ownPrefixes = new Set(["safe", "net", "keys", "aead", "hll_count", "kll_quantiles", "d3a_count"]);

/** They run SQL elsewhere, or read or sign addresses of files. */
const reachingOut = new Set(["external_query", "external_object_transform"]);

/** Throws SourceError "refused" for a call that is not allowed. `allowed` is `name` or `schema.name`, in lowercase. */
export function rejectCalls(sql: string, allowed: readonly string[] = []): void {
  const tokens = [...tokensOf(sql, bigquery.lexis)];
  for (const [at, token] of tokens.entries()) {
    // BigQuery reads escapes in names, as in strings.
    if (token.kind === "quoted" && token.text.includes("\\"))
      throw refused("Escapes in names are not allowed");
    if (token.kind !== "open") continue;
    if (tokens[at - 1]?.kind === "dot") throw refused("A function must not be called as .(name)(…)");
    const path = pathBefore(tokens, at);
    if (path.length > 0) rejectCall(path, allowed);
  }
}

/** The parts of the name directly before a parenthesis, in lowercase. */
function pathBefore(tokens: readonly Token[], end: number): string[] {
  const path: string[] = [];
  for (let at = end - 1; at >= 0; at -= 2) {
    const name = nameOf(tokens[at]);
    if (name === null) break;
    path.push(...name.toLowerCase().split(".").reverse());
    if (tokens[at - 1]?.kind !== "dot") break;
  }
  return path.reverse();
}

function rejectCall(path: readonly string[], allowed: readonly string[]): void {
  const name = path.at(-1) ?? "";
  const prefixes = path.slice(0, -1).filter((prefix) => prefix !== "safe");
  const [prefix] = prefixes;
  if (prefixes.length === 0 && !reachingOut.has(name)) return;
  if (prefixes.length === 1 && prefix !== undefined && ownPrefixes.has(prefix)) return;
  const shown = [...prefixes.slice(-1), name].join(".");
  if (allowed.includes(shown) || allowed.includes(name)) return;
  throw refused(`The function ${shown} is not allowed; an Admin can allow it on the data source`);
}

const nameOf = (token: Token | undefined) =>
  token?.kind === "word" || token?.kind === "quoted" ? token.text : null;

const refused = (message: string) => new SourceError("refused", message);
