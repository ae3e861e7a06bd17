import type { Fact, NotificationContent } from "../content.ts";
import { isSlackChannel } from "../destinations.ts";
import { buttonsOf } from "../message-buttons.ts";
import { chartWords } from "../picture/chart-picture.ts";
import type { Channel, Message } from "./channel.ts";
import { alignedRows, chatRowsInWords, chatTable } from "./first-rows.ts";
import { addressOf } from "./link.ts";
import { postJson } from "./post.ts";
import { postBySlackApp } from "./slack-app.ts";
import { type ButtonBlock, buttonBlocks } from "./slack-buttons.ts";
import { escaped, escapeText } from "./slack-text.ts";
import { toneSigns } from "./tone.ts";

/** Block Kit to an incoming webhook, or by the app to a channel, where buttons work. */
export const slack: Channel = (target, message, timeoutMs) =>
  isSlackChannel(target.destination)
    ? postBySlackApp(target.destination, slackMessage(message, { isApp: true }), timeoutMs)
    : postToWebhook(target, message, timeoutMs);

const postToWebhook: Channel = ({ destination }, message, timeoutMs) =>
  postJson({
    url: destination,
    body: JSON.stringify(slackMessage(message)),
    timeoutMs,
    // Slack's error codes are single words, such as invalid_blocks or channel_is_archived.
    explain: (body) => (/^[a-z_]{3,60}$/.test(body.trim()) ? body.trim() : null),
  });

/** Slack rejects messages with more blocks or longer texts. */
const maxBlocks = 50;
const maxTextLength = 3000;
const maxFields = 10;
const maxField = 2000;

type Text = { type: "mrkdwn"; text: string; verbatim: true };
type Block =
  | { type: "section"; text: Text }
  | { type: "section"; fields: Text[] }
  | { type: "image"; image_url: string; alt_text: string }
  | { type: "context"; elements: Text[] }
  | ButtonBlock;

/** `verbatim`: nothing in a text becomes a link or a mention. */
const mrkdwn = (text: string): Text => ({ type: "mrkdwn", text, verbatim: true });
const section = (text: string): Block => ({ type: "section", text: mrkdwn(text) });

export function slackMessage(
  { content, pictureAddress }: Message,
  { isApp = false }: { isApp?: boolean } = {},
): { text: string; blocks: Block[] } {
  const { sign, word } = toneSigns[content.tone];
  const end = [...tableBlocks(content), ...closing(content, isApp)];
  const head: Block[] = [
    section(`*${sign} ${escaped(content.title, 1000)}*`),
    ...(content.summary ? [section(escaped(content.summary, maxTextLength))] : []),
    ...fieldBlocks(content.facts),
    ...(content.chart && pictureAddress
      ? [
          {
            type: "image" as const,
            image_url: pictureAddress,
            alt_text: chartWords(content.chart).slice(0, 2000),
          },
        ]
      : []),
  ];
  const middle = groupBlocks(content, maxBlocks - head.length - end.length);
  return {
    text: `${word}: ${escaped(content.title, 1000)}`,
    blocks: [...head, ...middle, ...end],
  };
}

function fieldBlocks(facts: readonly Fact[]): Block[] {
  const fields = facts.map(({ label, value }) =>
    mrkdwn(`*${escaped(label, 300)}*\n${escaped(value || "–", maxField - 400)}`),
  );
  const blocks: Block[] = [];
  for (let i = 0; i < fields.length; i += maxFields)
    blocks.push({ type: "section", fields: fields.slice(i, i + maxFields) });
  return blocks;
}

/** One section per group; if there are too many, the last one says how many are omitted. */
function groupBlocks({ groups = [] }: NotificationContent, max: number): Block[] {
  const shown = groups.length <= max ? groups : groups.slice(0, max - 1);
  const blocks = shown.map(({ title, facts }) => section(groupText(title, facts)));
  return shown.length === groups.length
    ? blocks
    : [...blocks, section(`… and ${groups.length - shown.length} more`)];
}

function groupText(title: string, facts: readonly Fact[]): string {
  let text = `*${escaped(title, 500)}*`;
  for (const { label, value } of facts) {
    const line = `\n${escaped(label, 200)}: ${escaped(value || "–", 1000)}`;
    if (text.length + line.length > maxTextLength - 2) return `${text}\n…`;
    text += line;
  }
  return text;
}

function tableBlocks(content: NotificationContent): Block[] {
  if (!content.table) return [];
  const { table, maskedColumns } = chatTable(content.table);
  // Escaping makes a text longer, at worst five times, so the length is checked afterwards.
  for (let rows = 5; rows > 0; rows -= 1) {
    const aligned = alignedRows(table, { rows, columns: 8, cell: 24, characters: maxTextLength });
    if (!aligned) return [];
    // A backtick would end the code block; this character only looks like one.
    const text = escapeText(aligned.text.replaceAll("`", "ˋ"));
    if (text.length > maxTextLength - 100) continue;
    const words = escaped(chatRowsInWords(aligned.shown, table, maskedColumns), 90);
    return [section(`${words}\n\`\`\`${text}\`\`\``)];
  }
  return [];
}

/**
 * To a webhook, links rather than buttons: Slack reports a pressed button to its app, and an incoming webhook has none
 * that could answer, so that Slack would show a warning beside it.
 */
function closing(content: NotificationContent, isApp: boolean): Block[] {
  const { link, note } = content;
  const actions = isApp ? [] : (content.actions ?? []);
  const linked = ({ label, path }: { label: string; path: string }) =>
    `<${addressOf(path)}|${escaped(label, 300)}>`;
  return [
    ...(link ? [section(linked(link))] : []),
    ...(actions.length > 0 ? [section(actions.map(linked).join("  ·  "))] : []),
    ...(isApp ? buttonBlocks(buttonsOf(content)) : []),
    ...(note ? [{ type: "context" as const, elements: [mrkdwn(escaped(note, maxField))] }] : []),
  ];
}
