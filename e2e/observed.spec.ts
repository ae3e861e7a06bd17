import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { anOtlpReceiver } from "../server/test/otlp-receiver.ts";
import { parseMetrics, sampleOf } from "../server/test/prometheus.ts";
import { sessionCookie, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { type Service, scratch, startService } from "./service.ts";

/** What the real process reports to its operator about requests: in metrics and in its log. */
const dataDir = join(scratch, "observed");
const token = "a-token-for-the-scraper";
test.describe.configure({ mode: "serial" });

let service: Service;
let collector: Awaited<ReturnType<typeof anOtlpReceiver>>;
let api: Awaited<ReturnType<typeof signIn>>;

test.beforeAll(async () => {
  await prepareFolder(dataDir);
  collector = await anOtlpReceiver();
  service = await startService(dataDir, {
    METRICS_TOKEN: token,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "50",
  });
  api = await signIn(service.url);
});
test.afterAll(async () => {
  expect(await service?.stop()).toBe(0);
  await collector?.stop();
});

const scrape = async () => {
  const response = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return parseMetrics(await response.text());
};

type Line = Record<string, unknown> & { requestId?: string };

/** The log line of the request with this id. */
async function lineOf(requestId: string | null): Promise<Line> {
  const find = () =>
    service
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Line)
      .find((line) => line.requestId === requestId && line.msg === "Request");
  await expect.poll(find).toBeDefined();
  return find() as Line;
}

test("requests are counted by route, never by caller-supplied text", async () => {
  const before = await scrape();
  const { body: project } = await api("POST", "/projects", { name: "Observed" });
  const { id } = project as { id: number };
  for (const path of [`/projects/${id}`, `/projects/${id}`, "/projects/987654", "/no-such-thing-987654"])
    await api("GET", path);
  for (const path of ["/sign-in", "/no-such-page-987654", "/svc/trpc/projects.list-987654"])
    await (await fetch(service.url + path)).text();
  await (await fetch(`${service.url}/health`)).text();

  const after = await scrape();
  const grown = (method: string, route: string, status: number) => {
    const labels = { method, route, status: String(status) };
    const name = "plumbline_http_requests_total";
    return sampleOf(after, name, labels) - sampleOf(before, name, labels);
  };
  expect(grown("POST", "/svc/api/projects", 201)).toBe(1);
  expect(grown("GET", "/svc/api/projects/{id}", 200)).toBe(2);
  expect(grown("GET", "/svc/api/projects/{id}", 404)).toBe(1);
  expect(grown("GET", "/svc/api/{path}", 404)).toBe(1);
  expect(grown("GET", "/sign-in", 200)).toBe(1);
  expect(grown("GET", "none", 404)).toBe(1);
  expect(grown("GET", "/svc/trpc/{trpc}", 404)).toBe(1);
  expect(grown("GET", "/health", 200)).toBe(1);
  expect(grown("GET", "/metrics", 200)).toBe(1);
  const timed = { method: "GET", route: "/svc/api/projects/{id}" };
  const count = "plumbline_http_request_duration_seconds_count";
  expect(sampleOf(after, count, timed) - sampleOf(before, count, timed)).toBe(3);
  expect(JSON.stringify([...after])).not.toContain("987654");

  expect(sampleOf(after, "plumbline_database_up")).toBe(1);
  expect(sampleOf(after, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
  expect(after.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
  expect(sampleOf(after, "plumbline_job_runs_total", { job: "schedule-tick", outcome: "completed" })).toBe(
    sampleOf(after, "plumbline_job_run_duration_seconds_count", { job: "schedule-tick" }),
  );
});

test("metrics require authentication", async () => {
  for (const path of ["/metrics", "/svc/api/metrics"]) {
    const response = await fetch(service.url + path);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  }
  const cookie = await sessionCookie(service.url);
  expect((await fetch(`${service.url}/svc/api/metrics`, { headers: { cookie } })).status).toBe(200);
});

test("a well-formed caller's request ID is kept in response and log; anything else is replaced", async () => {
  const url = `${service.url}/svc/api/projects?name=secret-in-a-query`;
  const given = await fetch(url, { headers: { "x-request-id": "checkout-42/a" } });
  expect(given.headers.get("x-request-id")).toBe("checkout-42/a");
  expect(await given.json()).toMatchObject({ status: 401, requestId: "checkout-42/a" });
  const line = await lineOf("checkout-42/a");
  expect(line).toMatchObject({ level: "info", method: "GET", route: "/svc/api/projects", status: 401 });
  expect(line).toMatchObject({ path: "/svc/api/projects", ms: expect.any(Number) });
  expect(service.output()).not.toContain("secret-in-a-query");

  for (const bad of ["two words", "x".repeat(129), '"}', "ünïcode"].map((text) =>
    Buffer.from(text).toString("latin1"),
  )) {
    const id = (await fetch(url, { headers: { "x-request-id": bad } })).headers.get("x-request-id");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  }
  for (const path of ["/sign-in", "/svc/trpc/projects.list", "/svc/mcp", "/openapi/v1.json", "/nothing"]) {
    const response = await fetch(service.url + path);
    expect(response.headers.get("x-request-id"), path).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("the log says who called, by ID, and contains no credentials", async () => {
  const { body: key } = await api("POST", "/api-keys", { name: "Observed", scopes: ["Read"] });
  const { id, rawKey } = key as { id: number; rawKey: string };
  const answer = await fetch(`${service.url}/svc/api/projects`, {
    headers: { authorization: `Bearer ${rawKey}` },
  });
  const line = await lineOf(answer.headers.get("x-request-id"));
  expect(line).toMatchObject({ status: 200, principal: { kind: "ApiKey", userId: 1, keyId: id } });
  for (const secret of [rawKey, token, "next-auth.session-token"])
    expect(service.output()).not.toContain(secret);
  expect(service.output()).not.toContain('"path":"/health"');
});

test("a request's procedure is part of its trace, whose ID is logged", async () => {
  await api("GET", "/projects", undefined, { "x-request-id": "traced-request" });
  const { traceId } = await lineOf("traced-request");
  const spans = () => collector.spans.filter((span) => span.traceId === traceId);
  const names = () => spans().map(({ name }) => name);
  await expect.poll(() => names().sort()).toEqual(["GET /svc/api/projects", "projects.list"]);
  const [request, procedure] = ["GET /svc/api/projects", "projects.list"].map((wanted) =>
    spans().find(({ name }) => name === wanted),
  );
  expect(procedure?.parentId).toBe(request?.spanId);
  // Spans of Next or libraries are excluded, because they contain full URLs.
  expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(["plumbline"]));
  expect(
    collector.spans.filter(({ attributes }) => "http.target" in attributes || "next.span_name" in attributes),
  ).toEqual([]);
});
