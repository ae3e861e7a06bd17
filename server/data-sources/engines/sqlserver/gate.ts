import { SourceError } from "../engine.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Lets one reading statement through, before anything is sent. SQL Server has no read-only transactions, and one
 * text may hold several statements with nothing between them; so every word is refused that begins a statement
 * which is none of reading. What gets past is rolled back, and the rights of the login alone are a boundary.
 */

/** Words that no SELECT needs; most are reserved, so as a name they would have to be quoted anyway. */
const refusedWords = new Set(
  `
  insert update delete merge truncate into output writetext updatetext readtext
  create alter drop add trigger
  grant revoke deny setuser revert
  exec execute proc procedure
  begin commit rollback save tran transaction
  declare set print raiserror throw return goto if while break continue waitfor go lineno
  open close deallocate cursor
  use backup restore dump load dbcc bulk checkpoint kill shutdown reconfigure statistics
  openrowset openquery opendatasource
  send receive conversation
  `
    .trim()
    .split(/\s+/),
);

/** Hints that hold others up. */
const lockingHints = new Set(["updlock", "xlock", "tablockx", "holdlock"]);

/** Functions that read files of the server. */
const refusedFunctions = new Set([
  "fn_trace_gettable",
  "fn_xe_file_target_read_file",
  "fn_get_audit_file",
  "fn_get_audit_file_v2",
  "fn_dblog",
  "fn_dump_dblog",
  "fn_full_dblog",
]);

const setOperators = new Set(["union", "except", "intersect"]);

/** Throws SourceError "refused", saying what is not allowed. */
export function refuseUnlessReading(sql: string, _allowedFunctions: readonly string[] = []): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
  let depth = 0;
  /** Whether the SELECT that answers has begun; a WITH has others in parentheses before it. */
  let answerBegan = false;
  /** The last word, while nothing but space and comments has followed: with a parenthesis it is a call. */
  let name: string | null = null;
  /** What came directly before: "(" or a bare word. */
  let before: string | null = null;
  /** The word before that one. */
  let beforeThat: string | null = null;
  for (const token of tokensOf(sql)) {
    if (token.kind === "end") {
      if (firstWord === null) throw refused("The statement is empty");
      ended = true;
      continue;
    }
    if (ended) throw refused("Only one statement is allowed");
    if (token.kind === "open" && name !== null && refusedFunctions.has(name))
      throw refused(`The function ${name} is not allowed`);
    if (firstWord === null && token.kind !== "open") {
      firstWord = token.kind === "word" ? token.text : "";
      if (firstWord !== "select" && firstWord !== "with")
        throw refused("Only a statement that reads is allowed: SELECT or WITH");
      if (firstWord === "with" && depth > 0) throw refused("WITH cannot be in parentheses");
    }
    if (token.kind === "word") {
      refuseWord(token.text, before);
      if (token.text === "select") {
        const continues = before === "(" || isSetOperation(before, beforeThat);
        const answers: boolean = !answerBegan && (depth === 0 || firstWord === "select");
        if (!continues && !answers) throw refused("Only one statement is allowed");
        answerBegan ||= answers;
      }
    }
    if (token.kind === "open") depth++;
    if (token.kind === "close") depth--;
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

function refuseWord(word: string, before: string | null): void {
  if (refusedWords.has(word)) throw refused(`Only reading is allowed: no ${word.toUpperCase()}`);
  if (/^(xp|sp)_/.test(word)) throw refused("Procedures are not allowed");
  if (lockingHints.has(word)) throw refused("Only reading is allowed: no lock on rows");
  if (word === "value" && before === "next") throw refused("Sequences are not allowed");
}

const refused = (message: string) => new SourceError("refused", message);
