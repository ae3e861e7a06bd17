/**
 * Why a path is unsafe to append to a base URL, or null. Servers may decode a path more than once or treat a backslash
 * as a slash, so every possible interpretation is checked.
 */
export function pathFault(path: string): string | null {
  if (/[?#]/.test(path)) return "must not contain ? or #: use query parameters";
  for (let decoded: string | null = path, before = ""; decoded !== null && decoded !== before; ) {
    if (/[\\\p{Cc}]/u.test(decoded)) return "must not contain a backslash or a control character";
    if (/^\/*[a-z][a-z0-9+.-]*:\/\//i.test(decoded) || decoded.startsWith("//"))
      return "must be a path below the base URL, not an address";
    // Some servers cut off what follows a semicolon before interpreting a segment.
    const segments = decoded.split("/").map((segment) => segment.split(";", 1)[0]?.trim());
    if (segments.some((segment) => segment === "." || segment === ".."))
      return "must not contain . or .. segments";
    before = decoded;
    decoded = decodedOnce(decoded);
    if (decoded === null && before === path) return "has an invalid % encoding";
  }
  return path.replace(/^\//, "").replace(/\/$/, "").split("/").includes("") && path !== "" && path !== "/"
    ? "must not contain an empty segment"
    : null;
}

function decodedOnce(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The URL of a path that passes `pathFault`. */
export function addressBelow(baseUrl: string, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(baseUrl);
  const relative = path.replace(/^\//, "");
  if (relative !== "") url.pathname = `${url.pathname.replace(/\/$/, "")}/${relative}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}
