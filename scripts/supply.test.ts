import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeOf } from "./advisories.ts";

/** What ships: which packages run scripts, what the SBOM lists, and what is said of advisories. */
const root = join(import.meta.dirname, "..");
const json = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const { allowScripts, dependencies, devDependencies } = json("package.json");
const reviewed: Record<string, { versions: string[]; does: string }> = json(
  "scripts/reviewed-install-scripts.json",
);
type Locked = {
  version?: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
};
const locked: [path: string, Locked][] = Object.entries(
  json("package-lock.json").packages as Record<string, Locked>,
).filter(([path]) => path !== "");
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

test("a package with an install script is one that was reviewed, in this version, and does not run it", () => {
  const found: Record<string, string[]> = {};
  for (const [path, { hasInstallScript, version = "" }] of locked)
    if (hasInstallScript) found[nameOf(path)] = [...(found[nameOf(path)] ?? []), version].sort();
  expect(found).toEqual(
    Object.fromEntries(Object.entries(reviewed).map(([name, { versions }]) => [name, versions])),
  );
  expect(allowScripts).toEqual(Object.fromEntries(Object.keys(reviewed).map((name) => [name, false])));
});

/** The installed packages below a folder, also those within packages. */
function packagesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith(".")) return [];
    if (name.startsWith("@")) return packagesIn(join(folder, name));
    const path = join(folder, name);
    return [path, ...packagesIn(join(path, "node_modules"))];
  });
}

test("no other installed package has one, whatever the lockfile says", () => {
  const unexpected = packagesIn(join(root, "node_modules")).filter((path) => {
    if (!existsSync(join(path, "package.json"))) return false;
    const { name, scripts = {} } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const runs = ["preinstall", "install", "postinstall"].some((each) => each in scripts);
    // npm builds what has this file, without any script.
    return (runs || existsSync(join(path, "binding.gyp"))) && !(name in reviewed);
  });
  expect(unexpected).toEqual([]);
});

test("every package is pinned by its content, and none comes from an address of its own", () => {
  const exact = Object.values({ ...dependencies, ...devDependencies } as Record<string, string>);
  expect(exact.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  // Those for other platforms that a registry lacked have no checksum, and are never installed from here.
  const unpinned = locked.filter(([, { integrity, optional, link }]) => !integrity && !optional && !link);
  expect(unpinned.map(([path]) => path)).toEqual([]);
  // .npmrc leaves out where packages of the registry come from: what remains would be a file, a repository, or a web address.
  expect(locked.filter(([, { resolved }]) => resolved)).toEqual([]);
});

test("the SBOM lists what ships with its checksum, and nothing of the development", () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-sbom-"));
  const file = join(folder, "sbom.json");
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/sbom.mjs"), file], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const bom = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "plumbline" } } });
  const listed = new Map<string, { hashes?: { alg: string }[] }>(
    bom.components.map((each: { purl: string }) => [decodeURIComponent(each.purl), each]),
  );
  for (const [name, version] of Object.entries(dependencies)) {
    const component = listed.get(`pkg:npm/${name}@${version}`);
    expect(component, name).toBeDefined();
    expect(
      component?.hashes?.map(({ alg }) => alg),
      name,
    ).toEqual(["SHA-512"]);
  }
  for (const name of ["vitest", "@playwright/test", "@biomejs/biome"])
    expect([...listed.keys()].filter((purl) => purl.startsWith(`pkg:npm/${name}@`))).toEqual([]);
}, 60_000);

test.each([
  ['{"vulnerabilities":{}}', 0, ["No known advisory in what ships"]],
  [
    '{"vulnerabilities":{"left":{"name":"left","severity":"high","range":"<2.0.0"}}}',
    1,
    ["high: left <2.0.0"],
  ],
  [
    '{"message":"405 Method Not Allowed - POST https://packages.example/-/npm","error":{"summary":""}}',
    2,
    ["The registry offers no advisories (405 Method Not Allowed - POST): nothing was checked"],
  ],
  ["", 2, ["The registry offers no advisories (no report): nothing was checked"]],
])("advisories: %s", (output, exitCode, lines) => {
  expect(outcomeOf(output)).toEqual({ exitCode, lines });
});
