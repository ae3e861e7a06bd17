import { sqlserver } from "../../dialects/sqlserver.ts";
import { SourceError } from "../engine.ts";
import { tokensOf } from "../tokens.ts";

/**
 * Accepts one read-only statement before anything is sent. SQL Server has no read-only transactions, and a batch may
 * contain several statements without separators, so every word that begins a non-reading statement is rejected. Anything
 * that gets through is rolled back; only the login's rights are a security boundary.
 */

/**
 * Words that no SELECT needs and that begin or belong to a statement that does more. Most are reserved, so names would
 * have to be quoted anyway. `output` is not included, since it belongs to statements rejected by other words; nor is
 * `go`, which only clients interpret.
 */
const refusedWords = new Set(
  `
  insert update delete truncate into writetext updatetext readtext
  create alter drop add trigger
  grant revoke deny setuser revert
  exec execute proc procedure
  begin commit rollback save tran transaction
  declare set print raiserror throw return goto if while break continue waitfor lineno
  open close deallocate cursor
  backup restore dump load dbcc bulk checkpoint kill shutdown reconfigure statistics
  openrowset openquery opendatasource
  send receive conversation
  `
    .trim()
    .split(/\s+/),
);

/** Hints that block others: by locks meant for writers, on whole tables, or until the transaction ends. */
const lockingHints = new Set([
  ...["updlock", "xlock", "tablock", "tablockx"],
  ...["holdlock", "serializable", "repeatableread"],
]);

/** Of these words, the non-reserved ones: after a name and a dot each is a column. */
const plainNames = new Set([...lockingHints, "throw", "send", "receive", "conversation"]);

/** After one of these, MERGE specifies how a join is done and begins no statement. */
const joinKinds = new Set(["inner", "left", "right", "full", "outer"]);

const setOperators = new Set(["union", "except", "intersect"]);

/** Throws SourceError "refused" with what is not allowed. */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
  let depth = 0;
  /** Whether the main SELECT has begun; a WITH has others in parentheses before it. */
  let answerBegan = false;
  /** The last word, if only white space and comments have followed. */
  let name: string | null = null;
  /** The previous token: "(" or an unquoted word. */
  let before: string | null = null;
  /** The word before that one. */
  let beforeThat: string | null = null;
  /** Whether the previous tokens were a name and a dot, so that another name must follow. */
  let isQualified = false;
  /** The nesting depth of the parentheses of OPTION (…), while they are open. */
  let optionDepth: number | null = null;
  for (const token of tokensOf(sql, sqlserver.lexis)) {
    if (token.kind === "end") {
      if (firstWord === null) throw refused("The statement is empty");
      ended = true;
      continue;
    }
    if (ended) throw refused("Only one statement is allowed");
    if (firstWord === null && token.kind !== "open") {
      firstWord = token.kind === "word" ? token.text : "";
      if (firstWord !== "select" && firstWord !== "with")
        throw refused("Only read statements are allowed: SELECT or WITH");
      if (firstWord === "with" && depth > 0) throw refused("WITH cannot be in parentheses");
    }
    if (token.kind === "word") {
      if (!(isQualified && plainNames.has(token.text))) rejectWord(token.text, before, optionDepth !== null);
      if (token.text === "select") {
        const continues = before === "(" || isSetOperation(before, beforeThat);
        const answers: boolean = !answerBegan && (depth === 0 || firstWord === "select");
        if (!continues && !answers) throw refused("Only one statement is allowed");
        answerBegan ||= answers;
      }
    }
    if (token.kind === "open") {
      depth++;
      if (before === "option") optionDepth ??= depth;
    }
    if (token.kind === "close") {
      if (optionDepth === depth) optionDepth = null;
      depth--;
    }
    isQualified = token.kind === "dot" && (name !== null || isQualified);
    beforeThat = before;
    before = token.kind === "word" ? token.text : token.kind === "open" ? "(" : null;
    name = token.kind === "word" || token.kind === "quoted" ? token.text : null;
  }
  if (firstWord === null) throw refused("The statement is empty");
}

function isSetOperation(before: string | null, beforeThat: string | null): boolean {
  const operator = before === "all" ? beforeThat : before;
  return operator !== null && setOperators.has(operator);
}

function rejectWord(word: string, before: string | null, isInOption: boolean): void {
  if (refusedWords.has(word)) throw no(word);
  // OPTION (MERGE JOIN, USE HINT ('…')) and INNER MERGE JOIN are planner hints.
  if (word === "merge" && !isInOption && !joinKinds.has(before ?? "")) throw no(word);
  if (word === "use" && !isInOption) throw no(word);
  if (/^(xp|sp)_/.test(word)) throw refused("Procedures are not allowed");
  if (lockingHints.has(word)) throw refused("Only reading is allowed: no row locks");
  if (word === "value" && before === "next") throw refused("Sequences are not allowed");
}

const no = (word: string) => refused(`Only reading is allowed: no ${word.toUpperCase()}`);
const refused = (message: string) => new SourceError("refused", message);
