import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Manifest = Record<"staticRoutes" | "dynamicRoutes", { page: string; regex: string }[]>;

/**
 * Tells the route of an address by the build's own list, as `/queries/{id}`; null for what the build does not have,
 * and for everything in development, where there is no list.
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

/** `/queries/[id]` and `/docs/[[...path]]` with their parameters in braces, as the REST routes have them. */
const templateOf = (page: string) => page.replace(/\[+(?:\.\.\.)?([^\]]+)\]+/g, "{$1}");
