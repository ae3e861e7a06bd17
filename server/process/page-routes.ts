import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Manifest = Record<"staticRoutes" | "dynamicRoutes", { page: string; regex: string }[]>;

/**
 * The route template of a path from the build's manifest, such as `/queries/{id}`; null for unknown paths, and for
 * all paths in development, which has no manifest.
 */
export function pageRoutes(root: string): (path: string) => string | null {
  const file = join(root, ".next/routes-manifest.json");
  if (!existsSync(file)) return () => null;
  const { staticRoutes, dynamicRoutes } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
  const routes = [...staticRoutes, ...dynamicRoutes]
    .filter(({ page }) => !page.startsWith("/_"))
    .map(({ page, regex }) => ({ route: templateOf(page), pattern: new RegExp(regex) }));
  const plain = new Map(routes.map(({ route }) => [route, route]));
  return (path) => plain.get(path) ?? routes.find(({ pattern }) => pattern.test(path))?.route ?? null;
}

/** Converts `/queries/[id]` and `/docs/[[...path]]` to REST-style parameters in braces. */
const templateOf = (page: string) => page.replace(/\[+(?:\.\.\.)?([^\]]+)\]+/g, "{$1}");
