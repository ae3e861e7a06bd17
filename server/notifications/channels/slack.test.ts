import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContent } from "../../test/factories/notifications.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import type { NotificationContent } from "../content.ts";
import type { Message } from "./channel.ts";
import { slack, slackMessage } from "./slack.ts";

let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  process.env.PUBLIC_URL = "https://plumbline.example.com";
  receiver = await anHttpReceiver();
});
beforeEach(() => {
  receiver.answer = (response) => response.end("ok");
});
afterAll(() => receiver.stop());

const message = (content: Partial<NotificationContent> = {}): Message => ({
  id: "dlv_1_x",
  projectId: 1,
  cause: { kind: "Evaluation", id: 5 },
  content: aContent(content),
  createdAt: new Date("2030-01-31T12:00:00Z"),
  attachment: null,
});
const target = () => ({
  name: "Team",
  destination: `${receiver.url}/services/T0/B0/secret`,
  signingSecret: null,
});
const textsOf = (content: Partial<NotificationContent>) => JSON.stringify(slackMessage(message(content)));

type AnyText = { type: string; text: string; verbatim?: boolean };
type AnyBlock = { type: string; text?: AnyText; fields?: AnyText[]; elements?: AnyText[] };

/** The limits from Slack's reference on blocks and composition objects. */
function expectTaken({ text, blocks }: { text: string; blocks: AnyBlock[] }): void {
  expect(text.length).toBeLessThanOrEqual(4000);
  expect(blocks.length).toBeLessThanOrEqual(50);
  for (const block of blocks) {
    if (block.text) expect(block.text.text.length).toBeLessThanOrEqual(3000);
    expect(block.fields?.length ?? 1).toBeLessThanOrEqual(10);
    for (const field of block.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2000);
    for (const each of [block.text, ...(block.fields ?? []), ...(block.elements ?? [])]) {
      if (!each) continue;
      expect(each).toMatchObject({ type: "mrkdwn", verbatim: true });
      expect(each.text.length).toBeGreaterThan(0);
    }
  }
}

test("the chart is a picture where Slack can fetch it, and left out elsewhere", () => {
  const chart = { name: "Rows of the last 2 runs", values: [0, 3] };
  const pictureAddress = "https://plumbline.example.com/svc/pictures/7.png?until=1&signature=x";
  const { blocks } = slackMessage({ ...message({ chart }), pictureAddress });
  expect(blocks).toContainEqual({
    ...{ type: "image", image_url: pictureAddress },
    alt_text: "Rows of the last 2 runs: 0 to 3, now 3.",
  });
  expect(textsOf({ chart })).not.toContain("image");
});

test("a message has a title, figures, groups, first rows, and a link", async () => {
  const content = {
    groups: [{ title: "Origin is known", facts: [{ label: "Observed", value: "312 orphans" }] }],
    table: {
      columns: ["origin", "n"],
      rows: [
        ["XNA", 12],
        ["SFO", 7],
      ],
      rowCount: 312,
    },
  };
  expect(await slack(target(), message(content), 2000)).toEqual({ isSent: true, answer: "HTTP 200" });
  const { path, headers, json } = receiver.requests.at(-1) ?? {};
  expect(path).toBe("/services/T0/B0/secret");
  expect(headers?.["content-type"]).toBe("application/json");
  expectTaken(json);
  expect(json.text).toBe("Critical: [Data Quality] Orders");
  const texts = json.blocks.flatMap((block: AnyBlock) => [block.text, ...(block.fields ?? [])]);
  const all = texts.flatMap((each: AnyText | undefined) => each?.text ?? []);
  expect(all).toEqual([
    "*✕ [Data Quality] Orders*",
    "Scored 64.29, below the threshold of 80.",
    "*Score*\n64.29",
    "*Table*\npublic.orders",
    "*Origin is known*\nObserved: 312 orphans",
    "The first 2 of 312 rows\n```origin   n\nXNA     12\nSFO      7```",
    "<https://plumbline.example.com/data-quality/contracts/7|Open the contract>",
  ]);
});

test("what can be done is a line of links", () => {
  const { blocks } = slackMessage(
    message({
      actions: [
        { label: "Acknowledge", path: "/act/acknowledge/4" },
        { label: "Silence 1 h", path: "/act/silence-subscription/7?span=hour" },
      ],
    }),
  );
  expect(blocks.at(-1)).toEqual({
    type: "section",
    text: {
      type: "mrkdwn",
      verbatim: true,
      text: "<https://plumbline.example.com/act/acknowledge/4|Acknowledge>  ·  <https://plumbline.example.com/act/silence-subscription/7?span=hour|Silence 1 h>",
    },
  });
});

test("text from a database cannot mention a channel, create a link, or end the code block", () => {
  const evil = "<!channel> <https://evil.example|Click> & ``` *bold*";
  const texts = textsOf({
    title: evil,
    summary: evil,
    facts: [{ label: evil, value: evil }],
    groups: [{ title: evil, facts: [{ label: evil, value: evil }] }],
    table: { columns: [evil], rows: [[evil]], rowCount: 1 },
    note: evil,
  });
  expect(texts).not.toContain("<!");
  expect(texts).not.toContain("<https://evil");
  expect(texts).toContain("&lt;!channel&gt;");
  expect(texts.match(/The only row\\n```[^`]*```"/)).not.toBeNull();
});

test("rows are at most five, masked as samples are, and new ones are marked", () => {
  const table = {
    columns: ["id", "email"],
    rows: Array.from({ length: 7 }, (_, i) => [i + 1, `ada${i}@example.com`]),
    rowCount: 7,
    newRows: [1, 6],
  };
  const texts = textsOf({ table });
  expect(texts).not.toMatch(/ada\d@/);
  expect(texts).toContain("The first 5 of 7 rows. Masked: email");
  const lines = (texts.match(/```([^`]*)```/)?.[1] ?? "").split(String.raw`\n`);
  expect(lines).toHaveLength(6);
  expect(lines.map((line) => line.startsWith("new"))).toEqual([false, false, true, false, false, false]);
});

test.each([
  [
    "a hundred groups",
    { groups: Array.from({ length: 200 }, (_, i) => ({ title: `Rule ${i}`, facts: [] })) },
  ],
  [
    "texts that are long, and longer when escaped",
    {
      title: "&".repeat(200),
      summary: "&".repeat(4000),
      facts: Array.from({ length: 50 }, () => ({ label: "<".repeat(200), value: "&".repeat(2000) })),
      groups: [
        {
          title: ">".repeat(200),
          facts: Array.from({ length: 50 }, () => ({ label: "&", value: "&".repeat(2000) })),
        },
      ],
      table: {
        columns: ["&".repeat(200)],
        rows: Array.from({ length: 50 }, () => ["&".repeat(500)]),
        rowCount: 50,
      },
      note: "&".repeat(2000),
    },
  ],
  ["nothing but a title", { summary: "", facts: [{ label: "Empty", value: "" }] }],
  ["a table without rows", { table: { columns: ["a"], rows: [], rowCount: 0 } }],
])("%s stay within Slack's limits", (_, content) => {
  expectTaken(slackMessage(message(content)) as Parameters<typeof expectTaken>[0]);
  expect(textsOf(content)).not.toMatch(/&(?!amp;|lt;|gt;)/);
});

test("groups that do not fit are counted", () => {
  const groups = Array.from({ length: 200 }, (_, i) => ({ title: `Rule ${i}`, facts: [] }));
  const { blocks } = slackMessage(message({ groups }));
  const shown = JSON.stringify(blocks).match(/Rule \d+/g)?.length ?? 0;
  expect(shown).toBeGreaterThan(30);
  expect(JSON.stringify(blocks)).toContain(`… and ${200 - shown} more`);
});

describe("Slack's error messages", () => {
  test("are shown if they are its own", async () => {
    receiver.answer = (response) => response.writeHead(404).end("no_service");
    expect(await slack(target(), message(), 2000)).toEqual({
      isSent: false,
      isFinal: true,
      reason: "The receiver returned HTTP 404: no_service",
    });
  });

  test("are not repeated if they could be anything", async () => {
    receiver.answer = (response, { path }) => response.writeHead(500).end(`Bad: ${path}`);
    expect(await slack(target(), message(), 2000)).toMatchObject({
      isFinal: false,
      reason: "The receiver returned HTTP 500",
    });
  });
});
