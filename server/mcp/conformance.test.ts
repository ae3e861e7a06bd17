import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../data-sources/service.ts";
import { aKey } from "../test/factories/api-keys.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { startMcp } from "../test/mcp-client.ts";

declare module "vitest" {
  interface TaskMeta {
    /** A line for the summary of the whole run. */
    summary?: string;
  }
}

/** The protocol's own conformance suite, every scenario that it has for servers. */
const suite = join(process.cwd(), "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const expectedFailures = join(import.meta.dirname, "conformance-expected-failures.yml");

let door: Awaited<ReturnType<typeof startMcp>>;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let results: string;

beforeAll(async () => {
  door = await startMcp();
  const { projectId } = await aDataSource();
  proxy = await startProxy(door.url, (await aKey({ allowedProjectIds: [projectId] })).headers);
  results = await mkdtemp(join(tmpdir(), "conformance-"));
});
afterAll(async () => {
  await proxy.stop();
  await door.stop();
  await closeSources();
  await rm(results, { recursive: true, force: true });
});

/** The suite knows of no key, so this adds it, and changes nothing else. */
async function startProxy(url: string, key: Record<string, string>) {
  const { hostname, port, pathname } = new URL(url);
  const server = createServer((from: IncomingMessage, to: ServerResponse) => {
    const headers = { ...from.headers, ...key };
    const onwards = request({ hostname, port, path: from.url, method: from.method, headers });
    onwards.on("response", (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(to);
    });
    onwards.on("error", () => to.destroy());
    from.pipe(onwards);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const run = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      [suite, "server", "--url", proxy.url, ...args],
      { cwd: results, timeout: 90_000 },
      (error, stdout, stderr) => resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });

test("every scenario passes but those that ask for the suite's own fixtures", async ({ task }) => {
  const { code, output } = await run("--suite", "all", "--expected-failures", expectedFailures);
  const [, summary = ""] = output.split("=== SUMMARY ===");
  const all = [...summary.matchAll(/^[✓✗] ([\w-]+):/gm)].map(([, name = ""]) => name);
  const expected = [...summary.matchAll(/^\s+~ ([\w-]+)$/gm)].map(([, name = ""]) => name);
  const passed = all.filter((name) => !expected.includes(name));
  task.meta.summary = `MCP conformance: ${passed.length} of ${all.length} scenarios pass, and ${expected.length} ask for what the suite's own server has`;
  expect(code, output).toBe(0);
  expect(passed).toEqual([
    ...["server-initialize", "logging-set-level", "ping", "tools-list"],
    ...["resources-list", "prompts-list", "dns-rebinding-protection"],
  ]);
}, 120_000);
