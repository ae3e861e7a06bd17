import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What `npx plumbline scan` and `npx plumbline contract evaluate --file` start, and what that forks. */
export const localPrograms = [
  "commands/scan",
  "commands/evaluate",
  "data-sources/engines/files/process",
  "data-quality/odcs/yaml-process",
  "findings/detection-process",
];

/**
 * Bundles entry points of the service, `server/<name>.ts` as `<outdir>/<name>.js`, which share what they have in common.
 * @param {{ programs: string[], outdir: string } & import("esbuild").BuildOptions} options
 */
export function bundlePrograms({ programs, outdir, ...options }) {
  return build({
    entryPoints: programs.map((name) => join(root, "server", `${name}.ts`)),
    outbase: join(root, "server"),
    outdir,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    metafile: true,
    format: "esm",
    // Packages in the older format call it for what is built into Node.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    platform: "node",
    logLevel: "warning",
    ...options,
  });
}
