import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings, settings } from "../server/env.ts";

/** The settings that commands and files on the pages of the docs give, against those that there are. */

const folder = join(import.meta.dirname, "../docs");

type Block = { page: string; given: Record<string, string> };

/** Of each fenced block, the variables at the beginning of its lines. */
const blocks: Block[] = readdirSync(folder)
  // The commands of rest.md are run, by a journey.
  .filter((name) => name.endsWith(".md") && name !== "rest.md")
  .flatMap((page) =>
    [...readFileSync(join(folder, page), "utf8").matchAll(/^```(?:sh|text|)\n([\s\S]*?)^```$/gm)].map(
      ([, text = ""]) => ({ page, given: Object.fromEntries(text.split("\n").flatMap(variablesOf)) }),
    ),
  )
  .filter(({ given }) => Object.keys(given).length > 0);

function variablesOf(line: string): [string, string][] {
  const [assignments = ""] =
    /^(?:[A-Z][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\$\([^)]*\)|\S)*\s*)+/.exec(
      line.replace(/^set -a && \. \S+ && /, ""),
    ) ?? [];
  return [...assignments.matchAll(/([A-Z][A-Z0-9_]*)=((?:"[^"]*"|'[^']*'|\$\([^)]*\)|\S)*)/g)].map(
    ([, name = "", value = ""]) => [name, value.replace(/^(["'])(.*)\1$/, "$2")],
  );
}

/** Of the command, of other programs, of tests and benchmarks, and secrets and variables of a page's own. */
const others =
  /^(PLUMBLINE_|TEST_|GOOGLE_)|_(PASSWORD|WEBHOOK)$|^(ACCOUNT|ANSWER_MS|CONCURRENCY|CONTRACTS|PROCESSES|TARGET)$/;

test("each setting is one", () => {
  const unknown = blocks.flatMap(({ page, given }) =>
    Object.keys(given)
      .filter((name) => !(name.replace(/_FILE$/, "") in settings.shape) && !others.test(name))
      .map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

const ofOperators = ["operating.md", "scaling.md", "security.md", "settings.md"];
/** What else a block's settings need, which stands elsewhere on its page. */
const withIt = {
  DATABASE_URL: "postgres://plumbline:password@db.internal:5432/plumbline",
  ...{ OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "plumbline", OIDC_CLIENT_SECRET: "secret" },
  ...{ OIDC_ROLES: "Admin=admins", ENCRYPTION_KEY: "cd".repeat(32), NEXTAUTH_SECRET: "ef".repeat(32) },
};

test.each(ofOperators)("%s begins with something to copy, and the service accepts its settings", (page) => {
  const text = readFileSync(join(folder, page), "utf8");
  expect(text.split("\n").findIndex((line) => line.startsWith("```sh"))).toBeLessThan(25);
  const own = blocks.filter((block) => block.page === page);
  expect(own.length).toBeGreaterThan(0);
  for (const { given } of own) {
    const filled = Object.entries(given)
      .filter(([name]) => name in settings.shape)
      .map(([name, value]) => [name, /^(…|\$\()/.test(value) ? "ab".repeat(32) : value]);
    expect(() => readSettings({ ...withIt, ...Object.fromEntries(filled) })).not.toThrow();
  }
});
