import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { completeLockfile, type Lockfile } from "./complete-lockfile.ts";

const ours = (): Lockfile => JSON.parse(readFileSync("package-lock.json", "utf8"));

test("every platform's packages are in the lockfile, so that npm ci works (else: npm run lockfile)", () => {
  expect(completeLockfile(ours())).toEqual([]);
});

test("no registry's address is in the lockfile", () => {
  const withAddress = Object.entries(ours().packages).filter(([, { resolved }]) => resolved?.includes("://"));
  expect(withAddress).toEqual([]);
});

test("an absent platform package is added with what its name says; one that is there stays as it is", () => {
  const lockfile: Lockfile = {
    packages: {
      "": {},
      "node_modules/tool": {
        version: "2.0.0",
        dev: true,
        optionalDependencies: { "@tool/linux-x64-musl": "2.0.0", "@tool/darwin-arm64": "2.0.0" },
      },
      "node_modules/tool/node_modules/@tool/darwin-arm64": { version: "2.0.0", optional: true },
    },
  };
  expect(completeLockfile(lockfile)).toEqual(["node_modules/@tool/linux-x64-musl"]);
  expect(lockfile.packages["node_modules/@tool/linux-x64-musl"]).toEqual({
    version: "2.0.0",
    cpu: ["x64"],
    dev: true,
    libc: ["musl"],
    optional: true,
    os: ["linux"],
  });
  expect(Object.keys(lockfile.packages)).toEqual([
    "",
    "node_modules/@tool/linux-x64-musl",
    "node_modules/tool",
    "node_modules/tool/node_modules/@tool/darwin-arm64",
  ]);
});
