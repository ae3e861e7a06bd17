import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { startMcp } from "../../test/mcp-client.ts";

declare module "vitest" {
  interface TaskMeta {
    /** A line for the summary of the whole run. */
    summary?: string;
  }
}

/** The protocol's own conformance suite. */
const suite = join(process.cwd(), "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const [connected, stateless] = ["2025-11-25", "2026-07-28"];

/** Scenarios that run and must pass, in each revision that has them. */
const scenarios: Record<string, readonly string[]> = {
  "server-initialize": [connected],
  ping: [connected],
  "logging-set-level": [connected],
  "dns-rebinding-protection": [connected, stateless],
  "tools-list": [connected, stateless],
  "resources-list": [connected, stateless],
  "prompts-list": [connected, stateless],
  "server-stateless": [stateless],
  caching: [stateless],
  "http-header-validation": [stateless],
  "sep-2164-resource-not-found": [stateless],
  "input-required-result-unsupported-methods": [stateless],
};

/** Checks of these scenarios that call tools of the suite's own server, such as test_missing_capability. */
const notChecked = [
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
];

/**
 * Scenarios that do not run: they require the suite's own server, with tools, prompts, and resources of specific names
 * and results, or pass whatever a server does that has none of them. This server's own are covered by door.test.ts,
 * stateless.test.ts, tools.test.ts, project.test.ts, and prompts.test.ts.
 */
const notApplicable: Record<string, string> = {
  "tools-call-simple-text": "calls test_simple_text",
  "tools-call-image": "calls test_image_content",
  "tools-call-audio": "calls test_audio_content",
  "tools-call-embedded-resource": "calls test_embedded_resource",
  "tools-call-mixed-content": "calls test_multiple_content_types",
  "tools-call-with-logging": "calls test_tool_with_logging",
  "tools-call-error": "calls test_error_handling",
  "tools-call-with-progress": "calls test_tool_with_progress",
  "tools-call-sampling": "calls test_sampling",
  "tools-call-elicitation": "calls test_elicitation",
  "elicitation-sep1034-defaults": "calls test_elicitation_sep1034_defaults",
  "elicitation-sep1330-enums": "calls test_elicitation_sep1330_enums",
  "json-schema-2020-12": "looks for the tool json_schema_2020_12_tool",
  "resources-read-text": "reads test://static-text",
  "resources-read-binary": "reads test://static-binary",
  "resources-templates-read": "reads test://template/123/data",
  "resources-subscribe": "subscribes to test://watched-resource; resources here cannot be subscribed to",
  "resources-unsubscribe":
    "unsubscribes from test://watched-resource; resources here cannot be subscribed to",
  "prompts-get-simple": "gets test_simple_prompt",
  "prompts-get-with-args": "gets test_prompt_with_arguments",
  "prompts-get-embedded-resource": "gets test_prompt_with_embedded_resource",
  "prompts-get-with-image": "gets test_prompt_with_image",
  "completion-complete":
    "completes an argument of test_prompt_with_arguments; arguments here are not completed",
  "server-sse-polling": "calls test_reconnection",
  "server-session-lifecycle": "needs sessions; this server keeps none, so that any process can answer",
  "server-sse-multiple-streams": "needs streams; this server answers each request by itself",
  "http-custom-header-server-validation": "looks for a tool with x-mcp-header",
  "input-required-result-basic-elicitation": "calls test_input_required_result_elicitation",
  "input-required-result-basic-sampling": "calls test_input_required_result_sampling",
  "input-required-result-basic-list-roots": "calls test_input_required_result_list_roots",
  "input-required-result-request-state": "calls test_input_required_result_request_state",
  "input-required-result-multiple-input-requests": "calls test_input_required_result_multiple_inputs",
  "input-required-result-multi-round": "calls test_input_required_result_multi_round",
  "input-required-result-missing-input-response": "calls test_input_required_result_elicitation",
  "input-required-result-non-tool-request": "gets test_input_required_result_prompt",
  "input-required-result-result-type": "calls test_input_required_result_elicitation",
  "input-required-result-tampered-state": "calls test_input_required_result_tampered_state",
  "input-required-result-capability-check": "calls test_input_required_result_capabilities",
  "input-required-result-ignore-extra-params": "calls test_input_required_result_elicitation",
  "input-required-result-validate-input": "calls test_input_required_result_elicitation",
  "tasks-lifecycle": "calls greet and slow_compute",
  "tasks-capability-negotiation": "calls greet and slow_compute",
  "tasks-wire-fields": "calls slow_compute",
  "tasks-request-state-removal": "calls slow_compute",
  "tasks-mrtr-input": "calls confirm_delete; tasks here ask nothing",
  "tasks-request-headers": "calls greet and slow_compute",
  "tasks-dispatch-and-envelope": "calls greet and slow_compute",
  "tasks-status-notifications": "calls slow_compute; tasks here send no notifications",
  "tasks-required-task-error": "calls a tool that works only as a task; there is none here",
  "tasks-mrtr-composition": "calls a tool that asks before it becomes a task",
  "sep-2640-skills-directory": "lists skills; there are none here",
  "sep-2640-skills-enumeration": "lists skills; there are none here",
  "sep-2640-skills-manifest": "lists skills; there are none here",
};

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

/** The suite does not support keys, so this adds one, and changes nothing else. */
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

/** Runs the suite; returns its output on both streams. */
const run = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [suite, ...args], { cwd: results, timeout: 90_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });

const runs = Object.entries(scenarios).flatMap(([scenario, revisions]) =>
  revisions.map((revision) => [scenario, revision] as const),
);

test("every server scenario of the suite either runs or has a reason not to", async ({ task }) => {
  const { code, output } = await run("list", "--server");
  expect(code, output).toBe(0);
  const all = [...output.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name = ""]) => name);
  expect([...Object.keys(scenarios), ...Object.keys(notApplicable)].sort()).toEqual(all.sort());
  task.meta.summary = `MCP conformance: ${Object.keys(scenarios).length} of ${all.length} scenarios are run; the others need the suite's own server`;
});

test.each(runs)(
  "%s in %s",
  async (scenario, revision) => {
    const asked = ["--url", proxy.url, "--scenario", scenario, "--spec-version", revision];
    const { code, output } = await run("server", ...asked);
    const checks = [...stripVTControlCharacters(output).matchAll(/\[([\w-]+) *\] (SUCCESS|FAILURE)/g)];
    const failed = checks.flatMap(([, name = "", verdict]) => (verdict === "FAILURE" ? [name] : []));
    expect(checks.length, output).toBeGreaterThan(0);
    const unexplained = failed.filter((name) => !notChecked.includes(name));
    expect(unexplained, output).toEqual([]);
    if (failed.length === 0) expect(code, output).toBe(0);
  },
  120_000,
);
