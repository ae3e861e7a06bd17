import { SourceError } from "../engine.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Lets one reading statement through, before anything is sent. SQL Server has no read-only transactions, and one
 * text may hold several statements with nothing between them; so every word is refused that begins a statement
 * which is none of reading. What gets past is rolled back, and the rights of the login alone are a boundary.
 */

/**
 * Words that no SELECT needs and that begin or belong to a statement which does more. Most are reserved, so as a
 * name they would have to be quoted anyway. `output` is not among them: it belongs to statements that are refused
 * by their own words; nor is `go`, which only clients know.
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

/** Hints that hold others up: by locks for writers, on whole tables, or until the transaction ends. */
const lockingHints = new Set([
  ...["updlock", "xlock", "tablock", "tablockx"],
  ...["holdlock", "serializable", "repeatableread"],
]);

/** Of these words, those that are not reserved: behind a name and a dot each is a column of somebody's. */
const plainNames = new Set([...lockingHints, "throw", "send", "receive", "conversation"]);

/** Before MERGE, where it says how a join is done and begins no statement. */
const joinKinds = new Set(["inner", "left", "right", "full", "outer"]);

const setOperators = new Set(["union", "except", "intersect"]);

/** Throws SourceError "refused", saying what is not allowed. */
export function refuseUnlessReading(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
  let depth = 0;
  /** Whether the SELECT that answers has begun; a WITH has others in parentheses before it. */
  let answerBegan = false;
  /** The last word, while nothing but space and comments has followed. */
  let name: string | null = null;
  /** What came directly before: "(" or a bare word. */
  let before: string | null = null;
  /** The word before that one. */
  let beforeThat: string | null = null;
  /** Whether a name and a dot came directly before, so that another name must follow. */
  let isQualified = false;
  /** How deep the parentheses of OPTION (…) are, while they are open. */
  let optionDepth: number | null = null;
  for (const token of tokensOf(sql)) {
    if (token.kind === "end") {
      if (firstWord === null) throw refused("The statement is empty");
      ended = true;
      continue;
    }
    if (ended) throw refused("Only one statement is allowed");
    if (firstWord === null && token.kind !== "open") {
      firstWord = token.kind === "word" ? token.text : "";
      if (firstWord !== "select" && firstWord !== "with")
        throw refused("Only a statement that reads is allowed: SELECT or WITH");
      if (firstWord === "with" && depth > 0) throw refused("WITH cannot be in parentheses");
    }
    if (token.kind === "word") {
      if (!(isQualified && plainNames.has(token.text))) refuseWord(token.text, before, optionDepth !== null);
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

function refuseWord(word: string, before: string | null, isInOption: boolean): void {
  if (refusedWords.has(word)) throw no(word);
  // OPTION (MERGE JOIN, USE HINT ('…')) and INNER MERGE JOIN advise the planner.
  if (word === "merge" && !isInOption && !joinKinds.has(before ?? "")) throw no(word);
  if (word === "use" && !isInOption) throw no(word);
  if (/^(xp|sp)_/.test(word)) throw refused("Procedures are not allowed");
  if (lockingHints.has(word)) throw refused("Only reading is allowed: no lock on rows");
  if (word === "value" && before === "next") throw refused("Sequences are not allowed");
}

const no = (word: string) => refused(`Only reading is allowed: no ${word.toUpperCase()}`);
const refused = (message: string) => new SourceError("refused", message);
