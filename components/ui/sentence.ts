/** Ends a message with a period, so that more sentences can follow. */
export function asSentence(message: string): string {
  return /[.!?)]$/.test(message) ? message : `${message}.`;
}
