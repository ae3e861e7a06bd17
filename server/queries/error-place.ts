import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { isSourceError, SourceError, type Statement } from "../data-sources/engines/engine.ts";
import { offsetOf, placeOf } from "../data-sources/engines/failures.ts";
import { writtenOffset } from "./placeholders.ts";

/** Runs a statement that was bound from a text, and says of its error where in that text it is. */
export async function inWrittenText<T>(
  sql: string,
  { statement, dialect }: { statement: Statement; dialect: Dialect },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isSourceError(error) || !error.sentPlace) throw error;
    const { kind, message, sentPlace } = error;
    const place = placeOf(sql, writtenOffset(sql, dialect, offsetOf(statement.sql, sentPlace)));
    const writtenPlace = { line: place.line, column: sentPlace.column === null ? null : place.column };
    throw new SourceError(kind, message, { sentPlace, writtenPlace });
  }
}
