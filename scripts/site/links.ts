import { posix } from "node:path";
import { pageOf } from "./pages.ts";

/** Where a link of a page leads on the site. */
export type Target =
  | { kind: "page" | "outside"; href: string }
  | { kind: "image"; href: string; file: string }
  /** A file of the repository, while the repository has no address: named, and not linked. */
  | { kind: "file"; file: string };

/**
 * @param source The page's file, such as `docs/findings.md`.
 * @param repository Where files can be read, as in `https://git.example.com/plumbline/blob/main/`.
 */
export function targetOf(source: string, href: string, repository?: string): Target {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return { kind: "outside", href };
  const [path = "", anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return { kind: "page", href: hash };
  const file = posix.join(posix.dirname(source), path);
  const page = pageOf(file);
  if (page) return { kind: "page", href: page + hash };
  if (/\.(png|svg|jpg|webp)$/.test(file))
    return { kind: "image", href: `images/${posix.basename(file)}`, file };
  return repository ? { kind: "outside", href: repository + file + hash } : { kind: "file", file };
}

/** The address of files from package.json's `repository`; undefined without one. */
export function repositoryOf(manifest: { repository?: string | { url?: string } }): string | undefined {
  const { repository } = manifest;
  const url = typeof repository === "string" ? repository : repository?.url;
  const address = url?.replace(/^git\+/, "").replace(/\.git$/, "");
  return address?.startsWith("https://") ? `${address}/blob/main/` : undefined;
}
