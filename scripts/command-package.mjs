/**
 * Writes the `plumbline` command as a package of its own, ready for `npm pack` and `npm publish`: a client of the
 * service that needs Node and nothing else. Its folder is the argument, `dist/command-package` by default.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? join(root, "dist/command-package"));
const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "cli"), { recursive: true });
const files = readdirSync(join(root, "cli")).filter((name) => name.endsWith(".mjs"));
for (const name of files) copyFileSync(join(root, "cli", name), join(folder, "cli", name));
copyFileSync(join(root, "cli/README.md"), join(folder, "README.md"));
copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));

const description = "Data contracts, scans, and incidents of a Plumbline service, for pipelines";
const manifest = {
  ...{ name: "plumbline", version, description, license, type: "module" },
  bin: { plumbline: "cli/plumbline.mjs" },
  files: ["cli"],
  engines: { node: ">=20" },
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
