import { afterAll, beforeAll, expect, test } from "vitest";
import { aContent } from "../../test/factories/notifications.ts";
import { anHttpReceiver } from "../../test/http-receiver.ts";
import type { NotificationContent } from "../content.ts";
import type { Message } from "./channel.ts";
import { teams, teamsMessage } from "./teams.ts";

let receiver: Awaited<ReturnType<typeof anHttpReceiver>>;

beforeAll(async () => {
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
  process.env.PUBLIC_URL = "https://plumbline.example.com";
  receiver = await anHttpReceiver((response) => response.writeHead(202).end());
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

type Node = { type?: string; text?: string } & Record<string, unknown>;

/** Every element of a card, at any depth. */
function elementsIn(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(elementsIn);
  if (typeof node !== "object" || node === null) return [];
  return [node as Node, ...Object.values(node).flatMap(elementsIn)];
}
const textsIn = (node: unknown) =>
  elementsIn(node).flatMap(({ type, text }) => (type === "TextRun" ? text : []));

test("the chart is a picture where Teams can fetch it, and left out elsewhere", () => {
  const chart = { name: "Rows of the last 2 runs", values: [0, 3] };
  const pictureAddress = "https://plumbline.example.com/svc/pictures/7.png?until=1&signature=x";
  const pictures = (node: unknown) => elementsIn(node).filter(({ type }) => type === "Image");
  expect(pictures(teamsMessage({ ...message({ chart }), pictureAddress }))).toEqual([
    expect.objectContaining({ url: pictureAddress, altText: "Rows of the last 2 runs: 0 to 3, now 3." }),
  ]);
  expect(pictures(teamsMessage(message({ chart })))).toEqual([]);
});

test("a card in a workflow's format has figures, groups, first rows, and a link", async () => {
  const content = {
    groups: [{ title: "Origin is known", facts: [{ label: "Observed", value: "312 orphans" }] }],
    table: {
      columns: ["origin", "n"],
      rows: [
        ["XNA", 12],
        [null, 7],
      ],
      rowCount: 312,
    },
  };
  const destination = `${receiver.url}/workflows/secret`;
  expect(await teams({ name: "Team", destination, signingSecret: null }, message(content), 2000)).toEqual({
    isSent: true,
    answer: "HTTP 202",
  });
  const { json } = receiver.requests.at(-1) ?? {};
  expect(json).toMatchObject({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          type: "AdaptiveCard",
          version: "1.5",
          actions: [
            {
              type: "Action.OpenUrl",
              title: "Open the contract",
              url: "https://plumbline.example.com/data-quality/contracts/7",
            },
          ],
        },
      },
    ],
  });
  expect(textsIn(json)).toEqual([
    "✕ [Data Quality] Orders",
    "Scored 64.29, below the threshold of 80.",
    ...["Score: ", "64.29", "Table: ", "public.orders"],
    ...["Origin is known", "Observed: ", "312 orphans"],
    "The first 2 of 312 rows",
    ...["origin", "n", "XNA", "12", "–", "7"],
  ]);
});

test("what can be done is a button that opens a page", () => {
  const card = teamsMessage(message({ actions: [{ label: "Acknowledge", path: "/act/acknowledge/4" }] }));
  expect(card.attachments[0]?.content).toMatchObject({
    actions: [
      { type: "Action.OpenUrl", title: "Open the contract" },
      {
        type: "Action.OpenUrl",
        title: "Acknowledge",
        url: "https://plumbline.example.com/act/acknowledge/4",
      },
    ],
  });
});

test("no text is in a place where Markdown is interpreted", () => {
  const evil = "[Click](https://evil.example) **bold** <at>everyone</at>";
  const card = teamsMessage(
    message({
      title: evil,
      summary: evil,
      facts: [{ label: evil, value: evil }],
      groups: [{ title: evil, facts: [{ label: evil, value: evil }] }],
      table: { columns: [evil], rows: [[evil]], rowCount: 1 },
      note: evil,
    }),
  );
  const holders = elementsIn(card).filter((node) =>
    Object.values(node).some((value) => typeof value === "string" && value.includes("evil.example")),
  );
  expect(new Set(holders.map(({ type }) => type))).toEqual(new Set(["TextRun"]));
});

test("a card over Teams' limit is truncated, and says so", () => {
  const groups = Array.from({ length: 200 }, (_, i) => ({
    title: `Rule ${i}`,
    facts: [{ label: "Message", value: "ü".repeat(900) }],
  }));
  const card = teamsMessage(message({ groups, note: "The end" }));
  expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28 * 1024);
  const texts = textsIn(card);
  expect(texts).toContain("Rule 3");
  expect(texts).not.toContain("Rule 199");
  expect(texts.slice(-2)).toEqual(["… and more", "The end"]);
});
