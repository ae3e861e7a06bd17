import { clickhouse } from "../../dialects/clickhouse.ts";
import { SourceError } from "../engine.ts";
import { type Token, tokensOf } from "../tokens.ts";

/**
 * Accepts one read-only statement before anything is sent. The server is told `readonly = 2` with every statement, which
 * rejects writes but lets a statement change limits and reach other servers: a SETTINGS clause may only change what
 * answers mean, and functions.ts decides which functions are called. The login's rights are the security boundary.
 */

/** Settings that change neither limits nor what may be read. */
const harmlessSettings = new Set(
  `
  final do_not_merge_across_partitions_select_final
  join_use_nulls join_algorithm any_join_distinct_right_table_keys
  group_by_use_nulls transform_null_in union_default_mode intersect_default_mode except_default_mode
  aggregate_functions_null_for_empty prefer_column_name_to_alias cast_keep_nullable session_timezone
  `
    .trim()
    .split(/\s+/),
);

/** Throws SourceError "refused" with what is not allowed. */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  const tokens = [...tokensOf(sql, clickhouse.lexis)];
  while (tokens.at(-1)?.kind === "end") tokens.pop();
  const first = tokens.find(({ kind }) => kind !== "open");
  if (!first) throw refused("The statement is empty");
  if (tokens.some(({ kind }) => kind === "end")) throw refused("Only one statement is allowed");
  if (first.kind !== "word" || (first.text !== "select" && first.text !== "with"))
    throw refused("Only read statements are allowed: SELECT or WITH");
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "word") continue;
    const next = tokens[at + 1];
    if (token.text === "into" && next?.kind === "word" && next.text === "outfile")
      throw refused("INTO OUTFILE is not allowed: results cannot be written elsewhere");
    if (token.text === "format" && next?.kind === "word" && at + 2 >= tokens.length)
      throw refused("FORMAT is not allowed: the service chooses how a result is sent");
    if (token.text === "settings") rejectSettings(tokens, at + 1);
  }
}

/**
 * `settings name = value, …`; elsewhere the word is a name. A value may be an expression in brackets, so every name
 * between a sign and another sign counts as a setting, which rejects a few that are none.
 */
function rejectSettings(tokens: readonly Token[], start: number): void {
  if (!isAssigned(tokens, start)) return;
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind === "close") return;
    const isSetting = (at === start || tokens[at - 1]?.kind === "other") && isAssigned(tokens, at);
    if (isSetting && !harmlessSettings.has(nameOf(token) ?? ""))
      throw refused(`The setting ${nameOf(token)} must not be changed`);
  }
}

const isAssigned = (tokens: readonly Token[], at: number) =>
  nameOf(tokens[at]) !== null && tokens[at + 1]?.kind === "other";

const nameOf = (token: Token | undefined) =>
  token?.kind === "word" || token?.kind === "quoted" ? token.text : null;

const refused = (message: string) => new SourceError("refused", message);
