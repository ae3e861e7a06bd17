import { SourceError } from "../engine.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Lets one reading statement through, before anything is sent. It is the first of three walls, and the one that
 * explains itself; the others are the read-only session and transaction, and the rights of the login, which alone
 * are a boundary. A read-only transaction does not stop `INTO OUTFILE`. Which functions the statement may call is
 * judged by functions.ts.
 */

const readingWords = new Set(["select", "with", "values", "table"]);

/** Reserved words that in a reading statement can only write, or lock rows. */
const refusedWords: Record<string, string> = {
  into: "INTO is not allowed: results go nowhere but here",
  update: "Only reading is allowed: no UPDATE, and no FOR UPDATE",
  delete: "Only reading is allowed: no DELETE",
};

/** Throws SourceError "refused", saying what is not allowed. */
export function refuseUnlessReading(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
  /** The word before it, when that was bare, too. */
  let bareBefore: string | null = null;
  for (const token of tokensOf(sql)) {
    if (token.kind === "end") {
      ended ||= firstWord !== null;
      if (firstWord === null) throw refused("The statement is empty");
      continue;
    }
    if (ended) throw refused("Only one statement is allowed");
    if (firstWord === null && token.kind !== "open") {
      firstWord = token.kind === "word" ? token.text : "";
      if (!readingWords.has(firstWord))
        throw refused("Only a statement that reads is allowed: SELECT, WITH, VALUES or TABLE");
    }
    const bare = token.kind === "word" ? token.text : null;
    if (bare !== null) refuseWord(bare, bareBefore);
    bareBefore = bare;
  }
  if (firstWord === null) throw refused("The statement is empty");
}

function refuseWord(word: string, before: string | null): void {
  if (Object.hasOwn(refusedWords, word)) throw refused(refusedWords[word] ?? "");
  const locks = (before === "for" && word === "share") || (before === "lock" && word === "in");
  if (locks) throw refused("Only reading is allowed: no lock on rows");
  if (before === "value" && word === "for") throw refused("Sequences are not allowed");
}

const refused = (message: string) => new SourceError("refused", message);
