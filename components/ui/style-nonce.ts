/**
 * The nonce with which the page has come. Its content security policy takes no style element without it, so whatever
 * makes one later has to be told: an editor, a list that opens, a dialog that holds the page still.
 */
export function styleNonce(): string {
  if (typeof document === "undefined") return "";
  return document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
}

/** For react-remove-scroll, below every dialog and menu: it looks for the nonce where webpack would have put it. */
export function tellScrollLock(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
