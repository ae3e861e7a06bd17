/**
 * The nonce of the page's content security policy. Style elements without it are blocked, so anything that creates
 * one at runtime needs it: an editor, an open list, a dialog that locks scrolling.
 */
export function styleNonce(): string {
  if (typeof document === "undefined") return "";
  return document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
}

/** For react-remove-scroll, used by every dialog and menu: it looks for the nonce where webpack would put it. */
export function setScrollLockNonce(): void {
  Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
}
