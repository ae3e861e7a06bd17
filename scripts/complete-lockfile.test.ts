import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { completeLockfile, type Lockfile } from "./complete-lockfile.ts";

const ours = (): Lockfile => JSON.parse(readFileSync("package-lock.json", "utf8"));

test("the lockfile has the packages of every platform, so that npm ci works (else: npm run lockfile)", () => {
  expect(completeLockfile(ours())).toEqual([]);
});

test("the lockfile has no registry addresses", () => {
  const withAddress = Object.entries(ours().packages).filter(([, { resolved }]) => resolved?.includes("://"));
  expect(withAddress).toEqual([]);
});

test("a missing platform package is added with what its name implies, and existing ones are unchanged", () => {
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
