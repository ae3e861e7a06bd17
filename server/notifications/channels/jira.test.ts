import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aContent } from "../../test/factories/notifications.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import type { NotificationContent } from "../content.ts";
import { destinations, shownDestination } from "../destinations.ts";
import { nothingToPage } from "./alert-of.ts";
import type { Message } from "./channel.ts";
import { jira } from "./jira.ts";

/** A stand-in that keeps issues as Jira's REST API v3 does, as far as this channel asks it. */
type Stored = {
  key: string;
  fields: { labels: string[]; summary: string; [field: string]: unknown };
  done: boolean;
  comments: { body: object; properties: { key: string; value: { id: string } }[] }[];
};
let issues: Stored[] = [];
let server: Awaited<ReturnType<typeof anHttpReceiver>>;
let refuseAfterwards = false;

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  process.env.PUBLIC_URL = "https://plumbline.example.com";
  server = await anHttpReceiver();
});
beforeEach(() => {
  issues = [];
  refuseAfterwards = false;
  server.requests.length = 0;
  server.answer = (response, { path, json }) => {
    const answer = (status: number, body?: object) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(body ? JSON.stringify(body) : "");
    const [, key, what] = /^\/rest\/api\/3\/issue\/([A-Z]+-\d+)\/(\w+)/.exec(path) ?? [];
    const issue = issues.find((each) => each.key === key);
    if (path === "/rest/api/3/search/jql") {
      const label = /labels = "([^"]+)"/.exec(json.jql)?.[1] ?? "";
      const found = issues.filter(({ fields }) => fields.labels.includes(label)).reverse();
      return answer(200, {
        issues: found.slice(0, json.maxResults).map((each) => ({
          key: each.key,
          fields: {
            labels: each.fields.labels,
            status: { statusCategory: { key: each.done ? "done" : "indeterminate" } },
          },
        })),
      });
    }
    if (path === "/rest/api/3/issue") {
      issues.push({ key: `OPS-${issues.length + 1}`, fields: json.fields, done: false, comments: [] });
      if (refuseAfterwards) return answer(503);
      return answer(201, { id: "10000", key: `OPS-${issues.length}` });
    }
    if (what === "comment" && json) {
      issue?.comments.push(json);
      if (refuseAfterwards) return answer(503);
      return answer(201, { id: "1" });
    }
    if (what === "comment") return answer(200, { comments: issue?.comments });
    if (what === "transitions" && json) {
      if (issue) issue.done = json.transition.id === "31";
      return answer(204);
    }
    return answer(200, {
      transitions: [
        { id: "11", name: "In Progress" },
        { id: "31", name: "Done" },
      ],
    });
  };
});
afterAll(() => server.stop());

const message = (
  content: Partial<NotificationContent> = {},
  { id = "dlv_1_x", kind = "Incident" as Message["cause"]["kind"] } = {},
): Message => ({
  ...{ id, projectId: 1, cause: { kind, id: 5 } },
  content: aContent({
    ...{ title: "public.orders: score 62, below 80", tone: "Critical", summary: "It began at noon." },
    facts: [{ label: "Orders", value: "Score 62, below 80" }],
    link: { label: "Open the incident", path: "/incidents/5" },
    ...content,
  }),
  createdAt: new Date("2030-01-31T12:00:00Z"),
  attachment: null,
});
const over = (id = "dlv_9_x") =>
  message({ tone: "Good", title: "Resolved: public.orders", summary: "It is over." }, { id });
const target = (more = "&type=Bug&done=done") => ({
  name: "Ops",
  destination: `${server.url.replace("://", "://ada%40example.com:to%2Fken@")}/?project=OPS${more}`,
  signingSecret: null,
});

test("an incident creates an issue, with its words as text", async () => {
  expect(await jira(target(), message(), 2000)).toEqual({ isSent: true, answer: "Created OPS-1" });
  expect(server.requests.map(({ path }) => path)).toEqual(["/rest/api/3/search/jql", "/rest/api/3/issue"]);
  for (const { headers } of server.requests)
    expect(headers.authorization).toBe(`Basic ${Buffer.from("ada@example.com:to/ken").toString("base64")}`);
  // The first characters of the SHA-256 of the service's address, by another program.
  const label = "plumbline-incident-5-299dd69e";
  expect(server.requests[0]?.json.jql).toBe(`project = "OPS" AND labels = "${label}" ORDER BY created DESC`);
  expect(server.requests[1]?.json).toEqual({
    fields: {
      project: { key: "OPS" },
      issuetype: { name: "Bug" },
      summary: "public.orders: score 62, below 80",
      labels: ["plumbline", label, "dlv_1_x"],
      description: {
        ...{ type: "doc", version: 1 },
        content: [
          { type: "paragraph", content: [{ type: "text", text: "It began at noon." }] },
          {
            type: "bulletList",
            content: ["Severity: critical", "Orders: Score 62, below 80"].map((text) => ({
              type: "listItem",
              content: [{ type: "paragraph", content: [{ type: "text", text }] }],
            })),
          },
          {
            type: "paragraph",
            content: [
              {
                ...{ type: "text", text: "Open the incident" },
                marks: [{ type: "link", attrs: { href: "https://plumbline.example.com/incidents/5" } }],
              },
            ],
          },
        ],
      },
    },
  });
});

test("a retry creates no second issue, although the answer to the first attempt was lost", async () => {
  refuseAfterwards = true;
  expect(await jira(target(), message(), 2000)).toMatchObject({ isSent: false, isFinal: false });
  refuseAfterwards = false;
  expect(await jira(target(), message(), 2000)).toEqual({ isSent: true, answer: "OPS-1 was created before" });
  expect(issues).toHaveLength(1);
});

test("an escalation is a comment on the same issue, and the end closes it, each once", async () => {
  await jira(target(), message(), 2000);
  const escalation = message({ title: "Not acknowledged: public.orders" }, { id: "dlv_2_x" });
  refuseAfterwards = true;
  expect(await jira(target(), escalation, 2000)).toMatchObject({ isFinal: false });
  refuseAfterwards = false;
  expect(await jira(target(), escalation, 2000)).toEqual({ isSent: true, answer: "Commented on OPS-1" });
  expect(issues[0]?.comments).toHaveLength(1);
  expect(issues[0]?.comments[0]?.body).toMatchObject({
    content: [{ content: [{ text: "Not acknowledged: public.orders" }] }, {}],
  });
  expect(await jira(target(), over(), 2000)).toEqual({ isSent: true, answer: "Moved OPS-1" });
  expect(issues).toMatchObject([
    { done: true, comments: [{}, { properties: [{ value: { id: "dlv_9_x" } }] }] },
  ]);
  expect(await jira(target(), over(), 2000)).toEqual({
    ...{ isSent: true, answer: "Jira has no open issue for it" },
  });
  expect(issues[0]?.comments).toHaveLength(2);
});

test("what comes back after its issue was closed creates another", async () => {
  await jira(target(), message({}, { kind: "Monitor" }), 2000);
  for (const issue of issues) issue.done = true;
  const again = message({}, { kind: "Monitor", id: "dlv_3_x" });
  expect(await jira(target(), again, 2000)).toMatchObject({ answer: "Created OPS-2" });
});

test("without a transition, the end is a comment; one that does not exist is told", async () => {
  await jira(target(""), message(), 2000);
  expect(issues[0]?.fields).toMatchObject({ issuetype: { name: "Task" } });
  expect(await jira(target(""), over(), 2000)).toEqual({ isSent: true, answer: "Commented on OPS-1" });
  expect(await jira(target("&done=Shipped"), over("dlv_10_x"), 2000)).toEqual({
    ...{ isSent: false, isFinal: true, reason: "OPS-1 has no transition “Shipped” from its status" },
  });
});

test("digests and good news about what never was an issue create none", async () => {
  expect(await jira(target(), message({}, { kind: "Digest" }), 2000)).toMatchObject({
    answer: nothingToPage,
  });
  const good = message({ tone: "Good" }, { kind: "Evaluation" });
  expect(await jira(target(), good, 2000)).toMatchObject({ answer: nothingToPage });
  expect(server.requests).toEqual([]);
});

test("a refusal names the fields and repeats no value; a busy Jira is tried again", async () => {
  server.answer = (response) =>
    response
      .writeHead(400)
      .end('{"errorMessages":[],"errors":{"issuetype":"Specify a valid issue type, not Bug"}}');
  expect(await jira(target(), message(), 2000)).toEqual({
    ...{
      isSent: false,
      isFinal: true,
      reason: "The receiver returned HTTP 400: it does not accept issuetype",
    },
  });
  server.answer = (response) => response.writeHead(429, { "retry-after": "7" }).end();
  expect(await jira(target(), message(), 2000)).toMatchObject({ isFinal: false, retryAfterMs: 7000 });
  server.answer = (response) => response.writeHead(401).end();
  expect(await jira(target(), message(), 2000)).toMatchObject({
    ...{ isFinal: true, reason: "The receiver returned HTTP 401: access denied" },
  });
  server.answer = (response) => response.end('{"issues":[{"key":"../../x","fields":{}}]}');
  expect(await jira(target(), message(), 2000)).toMatchObject({ isFinal: true });
  server.answer = () => {};
  expect(await jira(target(), message(), 50)).toMatchObject({ isFinal: false });
});

test.each([
  ["https://ada%40example.com:token@acme.atlassian.net/?project=OPS", true],
  ["https://ada%40example.com:token@acme.atlassian.net/?project=OPS&type=Bug&done=Done", true],
  ["https://acme.atlassian.net/?project=OPS", false],
  ["https://ada:token@acme.atlassian.net/", false],
  ['https://ada:token@acme.atlassian.net/?project=OPS"', false],
  ["ada", false],
])("%s is an address: %s", (address, isOne) => {
  expect(destinations.Jira.schema.safeParse(address).success).toBe(isOne);
});

test("of its address, the host and the project are shown", () => {
  const address = "https://ada%40example.com:token@acme.atlassian.net/?project=OPS&type=Bug";
  expect(shownDestination("Jira", address)).toBe("acme.atlassian.net/ project OPS");
});
