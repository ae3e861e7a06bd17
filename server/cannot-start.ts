/**
 * Why the service cannot start: one line for the operator, saying what is wrong and what to do about it.
 * `main.ts` prints it and exits; anything else that is thrown while starting is a bug.
 */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
}
