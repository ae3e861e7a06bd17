import { mysql } from "../../dialects/mysql.ts";
import { SourceError } from "../engine.ts";
import { tokensOf } from "../tokens.ts";

/**
 * Accepts one read-only statement before anything is sent. The first of three layers, and the one that explains its
 * reasons; the others are the read-only session and transaction, and the login's rights, which alone are a security
 * boundary. A read-only transaction does not prevent `INTO OUTFILE`. functions.ts decides which functions the statement
 * may call.
 */

const readingWords = new Set(["select", "with", "values", "table"]);

/** Reserved words that in a reading statement can only write or lock rows. */
const refusedWords: Record<string, string> = {
  into: "INTO is not allowed: results cannot be written elsewhere",
  update: "Only reading is allowed: no UPDATE or FOR UPDATE",
  delete: "Only reading is allowed: no DELETE",
};

/** Throws SourceError "refused" with what is not allowed. */
export function requireReadOnly(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
  /** The word before it, if that was unquoted too. */
  let bareBefore: string | null = null;
  for (const token of tokensOf(sql, mysql.lexis)) {
    if (token.kind === "end") {
      ended ||= firstWord !== null;
      if (firstWord === null) throw refused("The statement is empty");
      continue;
    }
    if (ended) throw refused("Only one statement is allowed");
    if (firstWord === null && token.kind !== "open") {
      firstWord = token.kind === "word" ? token.text : "";
      if (!readingWords.has(firstWord))
        throw refused("Only read statements are allowed: SELECT, WITH, VALUES, or TABLE");
    }
    const bare = token.kind === "word" ? token.text : null;
    if (bare !== null) rejectWord(bare, bareBefore);
    bareBefore = bare;
  }
  if (firstWord === null) throw refused("The statement is empty");
}

function rejectWord(word: string, before: string | null): void {
  if (Object.hasOwn(refusedWords, word)) throw refused(refusedWords[word] ?? "");
  const locks = (before === "for" && word === "share") || (before === "lock" && word === "in");
  if (locks) throw refused("Only reading is allowed: no row locks");
  if (before === "value" && word === "for") throw refused("Sequences are not allowed");
}

const refused = (message: string) => new SourceError("refused", message);
