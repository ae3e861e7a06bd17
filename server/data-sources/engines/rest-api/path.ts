/**
 * What keeps a path from being put below a base URL, or null. Whoever reads the path on the other side may decode
 * it more than once, or take a backslash for a slash, so it is judged by everything that it could come to mean.
 */
export function pathFault(path: string): string | null {
  if (/[?#]/.test(path)) return "must not hold ? or #: values go into the query";
  for (let decoded: string | null = path, before = ""; decoded !== null && decoded !== before; ) {
    if (/[\\\p{Cc}]/u.test(decoded)) return "must not hold a backslash or a control character";
    if (/^\/*[a-z][a-z0-9+.-]*:\/\//i.test(decoded) || decoded.startsWith("//"))
      return "must be a path below the base URL, not an address";
    // Some servers cut off what follows a semicolon before they look at a segment.
    const segments = decoded.split("/").map((segment) => segment.split(";", 1)[0]?.trim());
    if (segments.some((segment) => segment === "." || segment === ".."))
      return "must not climb: no part of it is . or ..";
    before = decoded;
    decoded = decodedOnce(decoded);
    if (decoded === null && before === path) return "has a % that encodes no character";
  }
  return path.replace(/^\//, "").replace(/\/$/, "").split("/").includes("") && path !== "" && path !== "/"
    ? "must not hold an empty part"
    : null;
}

function decodedOnce(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/** The address of a path that `pathFault` finds nothing wrong with. */
export function addressBelow(baseUrl: string, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(baseUrl);
  const relative = path.replace(/^\//, "");
  if (relative !== "") url.pathname = `${url.pathname.replace(/\/$/, "")}/${relative}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  return url;
}
