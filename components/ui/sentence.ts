/** A message that further sentences follow: it ends as one. */
export function asSentence(message: string): string {
  return /[.!?)]$/.test(message) ? message : `${message}.`;
}
