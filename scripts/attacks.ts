import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "./test-attempts.ts";

/**
 * `npm run test:attacks`: the tests that attack the service, and how many attacks of each kind they make. Some minutes; each
 * is also part of `npm test`.
 */
const root = join(import.meta.dirname, "..");

/**
 * Test files by what they attack. Attempts made up from parts are counted by their tests, which are all in one file, by what
 * each of them attacks.
 */
export const attackTests: Record<string, string[]> = {
  SQL: [
    "server/data-sources/engines/postgresql/gate.test.ts",
    "server/data-sources/engines/mysql/gate.test.ts",
    "server/data-sources/engines/sqlserver/gate.test.ts",
    "server/data-sources/engines/clickhouse/gate.test.ts",
    "server/data-sources/engines/bigquery/gate.test.ts",
    "server/data-sources/engines/trino/gate.test.ts",
    "server/data-sources/engines/postgresql/functions.test.ts",
    "server/data-sources/hostile-texts.test.ts",
    "server/queries/hidden-write.test.ts",
  ],
  "REST inputs": [
    "server/doors/attacks.test.ts",
    "server/doors/request-body.test.ts",
    "server/doors/trpc-batch.test.ts",
  ],
  "sign-in": [
    "server/auth/sign-in-limit.test.ts",
    "server/auth/jwt.test.ts",
    "server/auth/oidc-claims.test.ts",
    "server/auth/admin-by-key.test.ts",
    "server/api-keys/raw-key.test.ts",
    "server/api-keys/service/find-key-principal.test.ts",
    "server/doors/expected-host.test.ts",
  ],
  "requests to the inside (SSRF)": ["server/outbound/addresses.test.ts", "server/outbound/request.test.ts"],
  "permissions and other projects": [
    "server/doors/access-matrix.test.ts",
    "server/api-keys/restriction.test.ts",
  ],
  secrets: [
    "server/audit/secrets.test.ts",
    "server/data-sources/secret-reference.test.ts",
    "server/data-sources/service/read-secrets.test.ts",
    "server/data-sources/password-rule.test.ts",
    "server/db/service-role.test.ts",
  ],
  "audit log": [
    "server/audit-chain/service/chain.test.ts",
    "server/audit/refusals.test.ts",
    "server/audit/remove-old.test.ts",
  ],
  supply: ["scripts/supply.test.ts"],
};

/** By category: the tests that passed or failed, and the attempts that they made up. */
export function countsOf({ outcomes, remarks }: Pick<Attempt, "outcomes" | "remarks">) {
  const made = remarks.flatMap((remark) => {
    const [, category = "", attempts] = /^Attacks: (.+): (\d+)$/.exec(remark) ?? [];
    return attempts ? [{ category, attempts: Number(attempts) }] : [];
  });
  const categories = [...new Set([...Object.keys(attackTests), ...made.map(({ category }) => category)])];
  return categories.map((category) => {
    const own = outcomes.filter(({ file }) => attackTests[category]?.includes(file));
    return {
      category,
      tests: own.filter(({ state }) => state !== "skipped").length,
      failed: own.filter(({ state }) => state === "failed").length,
      attempts: made
        .filter((each) => each.category === category)
        .reduce((sum, each) => sum + each.attempts, 0),
    };
  });
}

if (import.meta.filename === process.argv[1]) {
  const files = Object.values(attackTests).flat();
  const { status } = spawnSync(process.execPath, [join(root, "scripts/test.ts"), ...files], {
    cwd: root,
    stdio: "inherit",
  });
  const report = JSON.parse(readFileSync(join(root, ".test/vitest.json"), "utf8")) as Attempt;
  const lines = countsOf(report).map(
    ({ category, tests, failed, attempts }) =>
      `${category.padEnd(32)} ${String(tests).padStart(5)} tests ${String(failed).padStart(3)} failed ${String(attempts).padStart(6)} made-up attempts`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = status ?? 1;
}
