import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { accountFor, postgresProgram } from "./postgres-program.ts";

const isRoot = process.getuid?.() === 0;
const top = mkdtempSync(join(tmpdir(), "plumbline-account-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

test("the installed programs run, whether or not install scripts did", () => {
  const { postgres, initdb } = postgresProgram();
  for (const program of [postgres, initdb])
    expect(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout).toMatch(/PostgreSQL\) 18\./);
});

test("PostgreSQL never runs as root, and its folder belongs to the user it runs as", () => {
  const open = join(top, "open");
  mkdirSync(open);
  chmodSync(top, 0o755);
  const account = accountFor(open, postgresProgram());
  if (!isRoot) return expect(account).toEqual({ wrapper: [] });
  expect(account.uid !== undefined || account.wrapper[0] === "unshare").toBe(true);
  expect(statSync(open).uid).toBe(account.uid ?? 0);
});

test("in a folder that only root can access, root runs it in a user namespace", () => {
  const closed = join(top, "closed");
  mkdirSync(join(closed, "cluster"), { recursive: true });
  chmodSync(closed, 0o700);
  const choose = () => accountFor(join(closed, "cluster"), postgresProgram());
  if (!isRoot) return expect(choose()).toEqual({ wrapper: [] });
  // Some containers forbid user namespaces: then it fails with a message.
  if (spawnSync("unshare", ["--user", "true"]).status !== 0)
    return expect(choose).toThrow("PostgreSQL does not run as root");
  const account = choose();
  expect(account.uid).toBeUndefined();
  expect(account.wrapper.slice(0, 2)).toEqual(["unshare", "--user"]);
  expect(statSync(join(closed, "cluster")).uid).toBe(0);
});
