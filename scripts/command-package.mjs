/**
 * Writes the `plumbline` command as a package of its own, ready for `npm pack` and `npm publish`: a client of the
 * service that needs Node and nothing else. Its folder is the argument, `dist/command-package` by default.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? join(root, "dist/command-package"));
const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(folder, { recursive: true, force: true });
const files = readdirSync(join(root, "cli"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".mjs"),
);
for (const name of files) {
  mkdirSync(dirname(join(folder, "cli", name)), { recursive: true });
  copyFileSync(join(root, "cli", name), join(folder, "cli", name));
}
// The one library that it uses is in the package, with its license.
const yaml = readFileSync(join(root, "node_modules/yaml/LICENSE"), "utf8").trim();
await build({
  ...{ entryPoints: [join(root, "cli/as-code/yaml.mjs")], outfile: join(folder, "cli/as-code/yaml.mjs") },
  // Its entry for Node is CommonJS, of which nothing could be left out.
  ...{ bundle: true, minify: true, platform: "neutral", target: "node20" },
  banner: { js: `/*! yaml\n${yaml}\n*/` },
});
copyFileSync(join(root, "cli/README.md"), join(folder, "README.md"));
copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));

const description =
  "Everything of a Plumbline service as code, data contracts, scans, and incidents, for pipelines";
const manifest = {
  ...{ name: "plumbline", version, description, license, type: "module" },
  bin: { plumbline: "cli/plumbline.mjs" },
  files: ["cli"],
  engines: { node: ">=20" },
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
