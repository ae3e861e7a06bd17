import { expect, test } from "vitest";
import type { Proposal } from "./proposal.ts";
import { storableProposal } from "./storable-proposal.ts";

const proposal: Proposal = {
  summary: "Watch the orders.",
  analysis: "# Orders\n\nThey come each hour. 注文 🛒",
  keyFindings: ["Orders come each hour."],
  actions: [
    {
      kind: "CreateQuery",
      reasoning: "Orders should come.",
      name: "Orders are late",
      description: "",
      sql: "select 1\n  where false",
    },
    {
      kind: "CreateSubscription",
      reasoning: "Each hour.",
      queryName: "Orders are late",
      queryId: null,
      cronExpression: "0 * * * *",
      timezone: "UTC",
    },
    { kind: "RefineQuery", reasoning: "Faster.", queryId: 7, sql: "select 2" },
    { kind: "ArchiveQuery", reasoning: "Twice there.", queryId: 8 },
    { kind: "ArchiveSubscription", reasoning: "Twice there.", subscriptionId: 9 },
    { kind: "SendNotification", reasoning: "Urgent.", subject: "Late", body: "Very late", severity: "High" },
  ],
  answers: [],
  notification: { subject: "Late", body: "Very late", severity: "Low" },
};

test("an ordinary proposal is unchanged", () => {
  expect(storableProposal(proposal)).toEqual(proposal);
});

test("NUL and split characters are removed from every text, at any depth", () => {
  const spoil = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(spoil);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [
          name,
          ["kind", "severity"].includes(name) ? each : spoil(each),
        ]),
      );
    return typeof value === "string" ? `${value}\u0000\ud83d` : value;
  };
  const stored = JSON.stringify(storableProposal(spoil(proposal) as Proposal));
  expect(stored).toEqual(JSON.stringify(spoil(proposal)).replaceAll("\\u0000\\ud83d", "\ufffd"));
});

test("text that is far too long is truncated, but a statement only so that its gate still sees that it is too long", () => {
  const long = "x".repeat(200_000);
  const [query] = proposal.actions;
  if (query?.kind !== "CreateQuery") throw new Error("The first action creates a query");
  const stored = storableProposal({
    summary: long,
    analysis: long,
    keyFindings: Array(100).fill(long),
    actions: Array(100).fill({ ...query, reasoning: long, name: long, description: long, sql: long }),
    answers: [],
    notification: { subject: long, body: long, severity: "Low" },
  });
  expect(JSON.stringify(stored).length).toBeLessThan(50 * 110_000);
  expect(stored.keyFindings).toHaveLength(20);
  expect(stored.actions).toHaveLength(50);
  expect(stored.actions[0]).toMatchObject({ sql: "x".repeat(100_001), name: "x".repeat(201) });
  expect(stored.analysis).toHaveLength(20_000);
  expect(stored.notification?.subject).toHaveLength(200);
});

test("a subject is one line, and truncating it does not split a character", () => {
  const { notification, summary } = storableProposal({
    ...proposal,
    summary: `${"x".repeat(499)}🛒`,
    answers: [],
    notification: { subject: " Late\r\nBcc: everyone ", body: "a\nb", severity: "Low" },
  });
  expect(notification).toEqual({ subject: "Late Bcc: everyone", body: "a\nb", severity: "Low" });
  expect(summary).toBe(`${"x".repeat(499)}\ufffd`);
});
