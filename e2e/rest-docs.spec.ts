import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import postgres from "postgres";
import { admin, scratch } from "./service.ts";
import { sharedUrl } from "./shared-service.ts";

/**
 * Runs docs/rest.md as its reader would: in one shell, block by block, against the service. A `text` block after a `sh`
 * block is its expected output, in which `…` matches anything.
 */
const url = sharedUrl;
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_rest_docs";
const root = join(import.meta.dirname, "..");

type Block = { language: string; body: string; line: number };

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    body: match[2] ?? "",
    line: markdown.slice(0, match.index).split("\n").length,
  }));
}

const page = blocksOf(readFileSync(join(root, "docs/rest.md"), "utf8"));
const commands = page.flatMap((block, index) => {
  if (block.language !== "sh") return [];
  const next = page[index + 1];
  return { ...block, expected: next?.language === "text" ? next.body : null };
});

/** Replaces the page's values with the reader's own. */
function asReader(text: string): string {
  const { hostname, port, username, password } = new URL(serverUrl);
  const values: [string, string][] = [
    ["http://localhost:3000", url],
    ["email=ada@example.com", `email=${admin.email}`],
    ["password=correct-horse", `password=${admin.password}`],
    ["db.example.com", hostname],
    ['"port": 5432', `"port": ${port || 5432}`],
    ['"database": "shop"', `"database": "${database}"`],
    ["plumbline_reader", decodeURIComponent(username)],
    ["s3cret-of-the-reader", decodeURIComponent(password) || "none"],
  ];
  return values.reduce((page, [written, real]) => page.replaceAll(written, real), text);
}

function patternOf(expected: string): RegExp {
  const literal = expected
    .trim()
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^]*?")}$`);
}

test.beforeAll(async () => {
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`drop database if exists ${database} with (force)`);
  await server.unsafe(`create database ${database}`);
  await server.end();
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  const shop = postgres(address.href, { max: 1, onnotice: () => {} });
  for (const { body } of page.filter(({ language }) => language === "sql")) await shop.unsafe(body);
  await shop.end();
});

test("every command of docs/rest.md works, and prints what the page says", async () => {
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(join(scratch, "rest-docs-"));
  const marker = "=== the block that begins on line";
  const script = commands.map(({ body, line }) => `echo '${marker} ${line}'\n${asReader(body)}`).join("\n");
  writeFileSync(join(folder, "page.sh"), `set -euo pipefail\n${script}`);
  const { stdout, stderr } = await promisify(execFile)("bash", ["page.sh"], {
    cwd: folder,
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
  }).catch((ended: { stdout: string; stderr: string }) => ended);
  expect(stderr, `after ${stdout}`).toBe("");
  const printed = new Map(
    stdout
      .split(`${marker} `)
      .slice(1)
      .map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf("\n") + 1).trim()]),
  );
  for (const { line, expected } of commands)
    expect.soft(printed.get(line), `docs/rest.md:${line}`).toMatch(patternOf(expected ?? ""));
  rmSync(folder, { recursive: true });
});

test("each code block of the page is either run or the output of a run", () => {
  expect(new Set(page.map(({ language }) => language))).toEqual(new Set(["sh", "text", "sql"]));
  expect(commands.length).toBeGreaterThan(15);
});
