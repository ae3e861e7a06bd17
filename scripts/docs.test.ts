import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { permissions } from "../server/auth/permissions.ts";
import { anchorOf } from "./site/anchors.ts";

/** Checks what the docs say against the code, where possible. */
const root = join(import.meta.dirname, "..");
const text = (path: string) => readFileSync(join(root, path), "utf8");
const isPage = (name: string) => name.endsWith(".md");
const pages = [
  ...readdirSync(root).filter(isPage),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter(isPage)
    .map((path) => join("docs", path)),
  "components/ui/README.md",
];

/** Without fenced code, where brackets have another meaning. */
const prose = (page: string) => text(page).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");

const anchorsOf = (page: string) =>
  new Set([...prose(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading)));

test("every link to a file or heading of the repository resolves", () => {
  const broken = pages.flatMap((page) => {
    const links = [
      ...[...prose(page).matchAll(/\]\(([^)\s]+)\)/g)],
      ...[...prose(page).matchAll(/(?:src|srcset|href)="([^"]+)"/g)],
    ].map(([, target = ""]) => target);
    return links
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = "", anchor] = target.split("#");
        const file = path === "" ? page : relative(root, join(root, dirname(page), path));
        if (!existsSync(join(root, file))) return true;
        return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).has(anchor);
      })
      .map((target) => `${page} → ${target}`);
  });
  expect(broken).toEqual([]);
});

test("every page below docs is in its table of contents", () => {
  const contents = text("docs/README.md");
  const missing = pages
    .filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== "docs/README.md")
    .filter((page) => !contents.includes(`(${page.slice("docs/".length)})`));
  expect(missing).toEqual([]);
});

test("images are small enough for a page", () => {
  const pictures = pages.flatMap((page) =>
    [...text(page).matchAll(/[("]((?:docs\/)?images\/[a-z-]+\.png)[")]/g)].map(([, path = ""]) =>
      join(dirname(page), path),
    ),
  );
  expect(pictures.length).toBeGreaterThan(5);
  expect(pictures.filter((path) => statSync(join(root, path)).size > 150_000)).toEqual([]);
});

test("docs/dependencies.md lists each package of package.json, with its license", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text("package.json"));
  const wanted = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const rows = [...text("docs/dependencies.md").matchAll(/^\| `([^`]+)` \| (\S.*?) \| (\S.*) \|$/gm)];
  expect(rows.map(([, name]) => name).toSorted()).toEqual(wanted.toSorted());
  for (const [, name = "", license] of rows) {
    const manifest = join("node_modules", name, "package.json");
    // Packages for other platforms are not installed.
    if (existsSync(join(root, manifest)))
      expect([name, JSON.parse(text(manifest)).license]).toEqual([name, license]);
  }
});

test("docs/security.md lists each permission, with the role and scope that it needs", () => {
  const rows = [
    ...text("docs/security.md").matchAll(/^\| `([a-z-]+:[a-z]+)` \| .+ \| (\w+) \| (\w+) \| (\w+) \|$/gm),
  ].map(([, permission, role, scope, limited]) => ({ permission, role, scope, limited }));
  const wanted = Object.entries(permissions).flatMap(([permission, rule]) => {
    if (rule === null) return [];
    const isOwn = rule.scope === null || "isOwn" in rule;
    return {
      ...{ permission, role: rule.role, scope: rule.scope ?? "never" },
      limited: "isGlobal" in rule ? "no" : isOwn ? "own" : "yes",
    };
  });
  const byName = <Row extends { permission?: string | undefined }>(list: Row[]) =>
    list.toSorted((a, b) => (a.permission ?? "").localeCompare(b.permission ?? ""));
  expect(byName(rows)).toEqual(byName(wanted));
});
