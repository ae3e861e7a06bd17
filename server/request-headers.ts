/**
 * Headers that the process sets on every request before passing it on, overwriting whatever the sender set.
 */

/** The caller's address. */
export const addressHeader = "x-plumbline-address";

/** The client address claimed by an untrusted proxy. */
export const claimedAddressHeader = "x-plumbline-claimed-address";

/** Marks a request made on the service's own machine, under a local hostname. */
export const localHeader = "x-plumbline-local";

/** The request's ID: the caller's own if it is well-formed. */
export const requestIdHeader = "x-request-id";

/** The request's path and query, to return to the page after sign-in. */
export const pathHeader = "x-plumbline-path";

/** The nonce of the request's content security policy, used when rendering the page. */
export const nonceHeader = "x-plumbline-nonce";
