import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");

/**
 * Builds the service's process into few files, with all of its code as it is: it is started hundreds of times, and
 * reading as many files as it has costs it more than anything else. Packages, the pages and the processes that it
 * starts by itself stay what they are under `npm start`. Answers the file to run.
 */
export async function buildService(folder: string): Promise<string> {
  await build({
    entryPoints: [join(root, "server/main.ts")],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    packages: "external",
    sourcemap: "inline",
    plugins: [
      {
        name: "each file stays where it is",
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
            loader: "ts",
            contents: (await readFile(path, "utf8")).replaceAll(
              "import.meta.dirname",
              JSON.stringify(dirname(path)),
            ),
          }));
        },
      },
    ],
  });
  return join(folder, "main.mjs");
}
