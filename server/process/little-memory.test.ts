import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What a process says about its source maps after it has been told to take little memory. */
function sourceMapsOf(flags: string[]): unknown {
  const script = `
    import { getSourceMapsSupport } from "node:module";
    import { useLittleMemory } from ${JSON.stringify(join(import.meta.dirname, "little-memory.ts"))};
    useLittleMemory();
    console.log(JSON.stringify(getSourceMapsSupport()));`;
  const { stdout } = spawnSync(process.execPath, [...flags, "--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  return JSON.parse(stdout);
}

test("stack traces name the service's own sources, without keeping those of packages in memory", () => {
  expect(sourceMapsOf(["--enable-source-maps"])).toMatchObject({ enabled: true, nodeModules: false });
});

test("from source, where nobody asks for it, no source maps are read", () => {
  expect(sourceMapsOf([])).toMatchObject({ enabled: false });
});
