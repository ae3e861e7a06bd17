/**
 * Why the service cannot start: one line for the operator, saying what is wrong and what to do about it.
 * `main.ts` prints it and exits; anything else that is thrown while starting is a bug.
 */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

/** An error's first line; of the innermost cause, because wrappers tell the query and the cause tells what is wrong. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message.split("\n")[0] || error.name;
}
