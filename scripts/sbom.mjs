/**
 * Writes what is in the service as a CycloneDX document, from the lockfile: dist/sbom.cdx.json, or the given file. Part of
 * every build, and `npm run sbom` by itself. Runs before anything is installed, so it only uses built-ins and npm.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = resolve(process.argv[2] ?? join(root, "dist/sbom.cdx.json"));
const read = (name) => JSON.parse(readFileSync(join(root, name), "utf8"));

const options = ["--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];
const { status, stdout, stderr, error } = spawnSync("npm", ["sbom", ...options], {
  cwd: root,
  shell: process.platform === "win32",
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) {
  process.stderr.write(`plumbline: the SBOM cannot be written: ${error?.message ?? stderr}\n`);
  process.exit(1);
}
const bom = JSON.parse(stdout);
// npm takes the name of the folder.
bom.metadata.component.name = read("package.json").name;
// Its own --omit=dev also leaves out what ships if something of the development needs it, too, such as zod.
const ships = new Set();
for (const [path, { dev, name, version }] of Object.entries(read("package-lock.json").packages))
  if (!dev)
    ships.add(`${name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${version}`);
const isShipped = (reference) => ships.has(reference) || reference === bom.metadata.component["bom-ref"];
bom.components = bom.components.filter(
  (each) => isShipped(`${each.name}@${each.version}`) || isShipped(each["bom-ref"]),
);
const kept = new Set([bom.metadata.component["bom-ref"], ...bom.components.map((each) => each["bom-ref"])]);
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((ref) => kept.has(ref)) }));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(bom, null, 1)}\n`);
