/** Where to go after signing in: a path of this service, and nothing that leads to another. */
export function nextPath(wanted: string | string[] | null | undefined): string {
  const path = Array.isArray(wanted) ? wanted[0] : wanted;
  // The browser reads "//host", "/\host" and paths with control characters as other places.
  if (!path || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return "/";
  if (/^\/(sign-in|setup)(\/|\?|$)/.test(path)) return "/";
  return path;
}

/** The path in the address that next-auth carries along as `callbackUrl`, whatever its host; for nextPath. */
export function callbackPath(address: string | string[] | undefined): string | undefined {
  const first = Array.isArray(address) ? address[0] : address;
  if (!first || !URL.canParse(first)) return undefined;
  const { pathname, search } = new URL(first);
  return pathname + search;
}
