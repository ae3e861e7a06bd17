/**
 * Adds to package-lock.json the platform packages that were missing in the registry it was written against: `npm ci`
 * rejects a lockfile that lacks one, on every platform. Run it after adding or updating dependencies: `npm run
 * lockfile`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const systems = ["android", "darwin", "freebsd", "linux", "openbsd", "win32"];
const processors = ["arm", "arm64", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

type Package = {
  version?: string;
  optionalDependencies?: Record<string, string>;
  dev?: boolean;
  optional?: boolean;
  resolved?: string;
  cpu?: string[];
  libc?: string[];
  os?: string[];
};
export type Lockfile = { packages: Record<string, Package> };

/** Adds the missing packages; returns their names. */
export function completeLockfile(lockfile: Lockfile): string[] {
  const { packages } = lockfile;
  const added: Lockfile["packages"] = {};
  for (const [location, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isInstalledFor(packages, location, name) || !/^\d/.test(version)) continue;
      added[`node_modules/${name}`] = inNpmsOrder({
        version,
        ...platformOf(name),
        ...(dev && { dev }),
        optional: true,
      });
    }
  }
  const { "": project = {}, ...others } = packages;
  const sorted = Object.entries({ ...others, ...added }).sort(([a], [b]) => a.localeCompare(b, "en"));
  lockfile.packages = { "": project, ...Object.fromEntries(sorted) };
  return Object.keys(added);
}

/** In npm's order, so that `npm install` leaves the file unchanged. */
function inNpmsOrder({ version, ...rest }: Package): Package {
  return {
    version,
    ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, "en"))),
  };
}

/** Node looks in the package's own node_modules, then in those of its parent folders. */
function isInstalledFor(packages: Lockfile["packages"], location: string, name: string): boolean {
  for (
    let folder = location;
    ;
    folder = folder.slice(0, folder.lastIndexOf("node_modules/")).replace(/\/$/, "")
  ) {
    if (packages[`${folder && `${folder}/`}node_modules/${name}`]) return true;
    if (folder === "") return false;
  }
}

/** The name of a platform package contains its platform: `@next/swc-win32-arm64-msvc`. */
function platformOf(name: string): Package {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = words.includes("musl") ? ["musl"] : words.includes("gnu") ? ["glibc"] : [];
  return { ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }), ...(os.length > 0 && { os }) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(dirname(dirname(fileURLToPath(import.meta.url))), "package-lock.json");
  const lockfile = JSON.parse(readFileSync(file, "utf8"));
  const added = completeLockfile(lockfile);
  if (added.length > 0) writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  process.stdout.write(
    `package-lock.json: ${added.length === 0 ? "complete" : `added ${added.join(", ")}`}\n`,
  );
}
