/** Where to go after sign-in: only a path on this service, to prevent open redirects. */
export function nextPath(wanted: string | string[] | null | undefined): string {
  const path = Array.isArray(wanted) ? wanted[0] : wanted;
  // Browsers resolve "//host", "/\host", and paths with control characters to other origins.
  if (!path || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return "/";
  if (/^\/(sign-in|setup)(\/|\?|$)/.test(path)) return "/";
  return path;
}

/** The path in next-auth's `callbackUrl`, whatever its host; pass it to nextPath. */
export function callbackPath(address: string | string[] | undefined): string | undefined {
  const first = Array.isArray(address) ? address[0] : address;
  if (!first || !URL.canParse(first)) return undefined;
  const { pathname, search } = new URL(first);
  return pathname + search;
}
