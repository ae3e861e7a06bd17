/** Where to go after signing in: a path of this service, and nothing that leads to another. */
export function nextPath(wanted: string | string[] | null | undefined): string {
  const path = Array.isArray(wanted) ? wanted[0] : wanted;
  // The browser reads "//host", "/\host" and paths with control characters as other places.
  if (!path || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) return "/";
  if (/^\/(sign-in|setup)(\/|\?|$)/.test(path)) return "/";
  return path;
}
