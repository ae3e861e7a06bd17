import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readSettings } from "../env.ts";

/** Where Inngest calls the jobs: /svc/api/inngest. */

const signingKey = "signkey-test-00112233445566778899aabbccddeeff";

/** The endpoint as a process with these settings loads it. */
async function door() {
  vi.resetModules();
  return (await import("./inngest.ts")).handleInngest;
}

const event = { data: { cron: "* * * * *" }, id: "1", name: "inngest/scheduled.timer", ts: 0 };
/** Keys in alphabetical order, as they are signed. */
const body = JSON.stringify({
  ctx: { attempt: 0, run_id: "1" },
  event,
  events: [event],
  steps: {},
  version: 2,
});

function aCall(method: string, headers: Record<string, string> = {}) {
  return new Request("http://evil.example/svc/api/inngest?fnId=plumbline-schedule-tick&stepId=step", {
    method,
    headers: { host: "evil.example", "content-type": "application/json", ...headers },
    ...(method !== "GET" && { body }),
  });
}

function signature(key: string, at = Math.round(Date.now() / 1000)) {
  const secret = key.replace(/^signkey-\w+-/, "");
  return `t=${at}&s=${createHmac("sha256", secret).update(body).update(String(at)).digest("hex")}`;
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test.each(["GET", "POST", "PUT"] as const)("with the embedded engine, %s finds nothing", async (method) => {
  const response = await (await door())(aCall(method));
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.json()).toMatchObject({ title: "Not found", status: 404 });
});

describe("with Inngest configured", () => {
  beforeEach(() => {
    vi.stubEnv("INNGEST_EVENT_KEY", "an-event-key");
    vi.stubEnv("INNGEST_SIGNING_KEY", signingKey);
    // From someone's shell; it must not turn the check off.
    vi.stubEnv("INNGEST_DEV", "1");
  });

  test.each(["GET", "POST", "PUT"] as const)("%s without a signature is refused", async (method) => {
    expect((await (await door())(aCall(method))).status).toBe(401);
  });

  test.each([
    ["another key's", signature(`signkey-test-${"f".repeat(32)}`)],
    ["an old", signature(signingKey, Math.round(Date.now() / 1000) - 3600)],
    ["no real", "t=1&s=2"],
  ])("%s signature is rejected", async (_, given) => {
    expect((await (await door())(aCall("POST", { "x-inngest-signature": given }))).status).toBe(401);
  });

  test("a signed call runs the function", async () => {
    const response = await (await door())(aCall("POST", { "x-inngest-signature": signature(signingKey) }));
    expect(response.status).toBe(200);
    expect(await response.json()).toBeNull();
    // It is counted, and a rejected call is not.
    const { metrics } = await import("../telemetry/metrics.ts");
    const { values } = await metrics.jobRuns.get();
    expect(values).toEqual([{ labels: { job: "schedule-tick", outcome: "completed" }, value: 1 }]);
  });

  test.each([
    ["the service's own address", { PUBLIC_URL: "https://plumbline.example" }, "https://plumbline.example"],
    [
      "the address that Inngest has for it",
      { PUBLIC_URL: "https://plumbline.example", INNGEST_SERVE_ORIGIN: "http://plumbline:3000" },
      "http://plumbline:3000",
    ],
  ])("functions register under %s, whatever the Host header says", async (_, settings, origin) => {
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const registration = JSON.stringify({ url: "http://evil.example/svc/api/inngest" });
    const at = String(Math.round(Date.now() / 1000));
    const secret = signingKey.replace("signkey-test-", "");
    const signed = createHmac("sha256", secret).update(registration).update(at).digest("hex");
    const request = new Request("http://evil.example/svc/api/inngest", {
      method: "PUT",
      headers: {
        host: "evil.example",
        "x-inngest-sync-kind": "in_band",
        "x-inngest-signature": `t=${at}&s=${signed}`,
      },
      body: registration,
    });
    const answer = (await (await (await door())(request)).json()) as { functions: unknown[] };
    expect(JSON.stringify(answer.functions)).not.toContain("evil.example");
    expect(JSON.stringify(answer.functions)).toContain(`${origin}/svc/api/inngest`);
  });

  test("events are sent to Inngest, with their ids", async () => {
    const sent = vi.fn(async (..._: Parameters<typeof fetch>) =>
      Response.json({ ids: ["one"], status: 200 }),
    );
    vi.stubGlobal("fetch", sent);
    vi.stubEnv("INNGEST_BASE_URL", "http://inngest.example");
    vi.resetModules();
    const { sendEvents } = await import("../jobs/client.ts");
    const { db } = await import("../db/client.ts");
    expect(await sendEvents(db, { name: "test/happened", data: { n: 1 }, id: "one" })).toEqual(["one"]);
    const [url, init] = sent.mock.calls[0] ?? [];
    expect(String(url)).toBe("http://inngest.example/e/an-event-key");
    expect(JSON.parse(String(init?.body))).toMatchObject([
      { name: "test/happened", data: { n: 1 }, id: "one" },
    ]);
    vi.unstubAllGlobals();
  });
});

test.each([
  [{ INNGEST_EVENT_KEY: "k" }, "INNGEST_EVENT_KEY: and INNGEST_SIGNING_KEY go together"],
  [{ INNGEST_SIGNING_KEY: "k" }, "INNGEST_EVENT_KEY: and INNGEST_SIGNING_KEY go together"],
  [{ INNGEST_BASE_URL: "http://inngest:8288" }, "INNGEST_BASE_URL: also requires INNGEST_EVENT_KEY"],
  [
    { INNGEST_SERVE_ORIGIN: "http://plumbline:3000" },
    "INNGEST_SERVE_ORIGIN: also requires INNGEST_EVENT_KEY",
  ],
  [{ INNGEST_BASE_URL: "inngest", INNGEST_EVENT_KEY: "k", INNGEST_SIGNING_KEY: "k" }, "INNGEST_BASE_URL: "],
])("an incomplete configuration prevents the start: %o", (settings, message) => {
  expect(() => readSettings(settings)).toThrow(message);
});
