/**
 * Writes the `plumbline` command as a package of its own, ready for `npm pack` and `npm publish`: a client of the
 * service, and the programs that scan and evaluate files and databases without one. It needs Node and nothing else,
 * except for the files and databases whose drivers are its optional peers. Its folder is the argument,
 * `dist/command-package` by default.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { drivers } from "../cli/drivers.mjs";
import { bundlePrograms, localPrograms } from "./bundle-programs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? join(root, "dist/command-package"));
const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(folder, { recursive: true, force: true });
const files = readdirSync(join(root, "cli"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".mjs") && !name.endsWith(".fixture.mjs"),
);
for (const name of files) {
  mkdirSync(dirname(join(folder, "cli", name)), { recursive: true });
  copyFileSync(join(root, "cli", name), join(folder, "cli", name));
}
// The one library that the client uses is in it, with its license.
const yaml = readFileSync(join(root, "node_modules/yaml/LICENSE"), "utf8").trim();
await build({
  ...{ entryPoints: [join(root, "cli/as-code/yaml.mjs")], outfile: join(folder, "cli/as-code/yaml.mjs") },
  // Its entry for Node is CommonJS, of which nothing could be left out.
  ...{ bundle: true, minify: true, platform: "neutral", target: "node20" },
  banner: { js: `/*! yaml\n${yaml}\n*/` },
});
const { metafile } = await bundlePrograms({
  ...{ programs: localPrograms, outdir: join(folder, "dist"), external: drivers, target: "node22" },
  // Names stay, for the stacks in people's reports. Licenses are in a file of their own.
  ...{ minifyWhitespace: true, minifySyntax: true, legalComments: "none" },
});
writeFileSync(join(folder, "dist/LICENSES.txt"), licensesOf(Object.keys(metafile.inputs)));
copyFileSync(join(root, "cli/README.md"), join(folder, "README.md"));
copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));

const description =
  "Everything of a Plumbline service as code, data contracts, scans, and incidents, for pipelines";
const manifest = {
  ...{ name: "plumbline", version, description, license, type: "module" },
  bin: { plumbline: "cli/plumbline.mjs" },
  files: ["cli", "dist"],
  engines: { node: ">=20" },
  // Any version, because a project that has another one for itself must still be able to install the client.
  peerDependencies: Object.fromEntries(drivers.map((name) => [name, "*"])),
  peerDependenciesMeta: Object.fromEntries(drivers.map((name) => [name, { optional: true }])),
};
writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);

/**
 * The licenses of the packages that these files are from, each with its name.
 * @param {string[]} files
 */
function licensesOf(files) {
  const names = files.flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(file)?.[1] ?? [],
  );
  return [...new Set(names)]
    .sort()
    .map((name) => `${name}\n\n${licenseOf(join(root, "node_modules", name))}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** @param {string} packageFolder */
function licenseOf(packageFolder) {
  const file = readdirSync(packageFolder).find((name) => /^(un)?licen[cs]e(\.\w+)?$/i.test(name));
  if (file) return readFileSync(join(packageFolder, file), "utf8").trim();
  return `License: ${JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).license}`;
}
