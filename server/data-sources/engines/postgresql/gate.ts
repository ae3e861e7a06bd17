import { SourceError } from "../engine.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Lets one reading statement through, before anything is sent. It is the first of three walls, and the one that
 * explains itself; the others are the read-only transaction and the rights of the login, which alone are a boundary.
 * Which functions the statement may call is judged by functions.ts, with the server's own list of them.
 */

const readingWords = new Set(["select", "with", "values", "table"]);

/** Throws SourceError "refused", saying what is not allowed. */
export function refuseUnlessReading(sql: string): void {
  if (sql.includes("\u0000")) throw refused("The statement contains a NUL character");
  let firstWord: string | null = null;
  let ended = false;
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
  }
  if (firstWord === null) throw refused("The statement is empty");
}

const refused = (message: string) => new SourceError("refused", message);
