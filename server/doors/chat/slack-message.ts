import { z } from "zod";
import { buttonBlocks, ownBlocks, reasonAction } from "../../notifications/channels/slack-buttons.ts";
import { escaped } from "../../notifications/channels/slack-text.ts";
import { buttonOfValue, type MessageButton, maxReason } from "../../notifications/message-buttons.ts";

/** What Slack sends when someone presses a button, and what is said in return. Pure. */

const textObject = z.object({
  type: z.enum(["mrkdwn", "plain_text"]),
  text: z.string(),
  verbatim: z.boolean().optional(),
});

/** The blocks of our messages, without what Slack adds to them; those with buttons are made anew. */
const blockSchema = z.union([
  z.object({ type: z.literal("section"), text: textObject }),
  z.object({ type: z.literal("section"), fields: z.array(textObject) }),
  z.object({ type: z.literal("image"), image_url: z.string(), alt_text: z.string() }),
  z.object({ type: z.literal("context"), elements: z.array(textObject) }),
]);

const id = z.string().regex(/^[A-Z0-9]{2,40}$/);

export const pressPayload = z.object({
  type: z.literal("block_actions"),
  user: z.object({
    id,
    team_id: id.optional(),
    username: z.string().optional(),
    name: z.string().optional(),
  }),
  team: z.object({ id }).nullish(),
  response_url: z.url(),
  message: z.object({ text: z.string().default(""), blocks: z.array(z.unknown()).default([]) }).optional(),
  actions: z.array(z.object({ block_id: z.string(), value: z.string().optional() })).min(1),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) })
    .optional(),
});
export type PressPayload = z.output<typeof pressPayload>;

/** The pressed button; null if it is none of ours, such as a link. */
export const pressedButton = ({ actions }: PressPayload): MessageButton | null =>
  actions[0]?.block_id === ownBlocks.buttons ? buttonOfValue(actions[0].value ?? "") : null;

export function reasonIn({ state }: PressPayload): string | null {
  const given = state?.values[ownBlocks.reason]?.[reasonAction]?.value;
  return given?.trim().slice(0, maxReason) || null;
}

const buttonsBlock = z.object({
  block_id: z.literal(ownBlocks.buttons),
  elements: z.array(z.object({ value: z.string() })),
});

/** The buttons that the message has. */
export const buttonsIn = ({ message }: PressPayload): MessageButton[] =>
  (message?.blocks ?? []).flatMap(
    (block) =>
      buttonsBlock.safeParse(block).data?.elements.flatMap(({ value }) => buttonOfValue(value) ?? []) ?? [],
  );

/** Slack's limit. */
const maxBlocks = 50;

/** The message with what has happened added to it, and the buttons that are left. */
export function replacedMessage(
  { message }: PressPayload,
  { words, buttons }: { words: string; buttons: readonly MessageButton[] },
) {
  const kept = (message?.blocks ?? []).flatMap((block) => blockSchema.safeParse(block).data ?? []);
  const said = {
    type: "context",
    elements: [{ type: "mrkdwn", text: escaped(words, 2000), verbatim: true }],
  };
  const end = [said, ...buttonBlocks(buttons)];
  return {
    replace_original: true,
    text: message?.text ?? "",
    blocks: [...kept.slice(0, maxBlocks - end.length), ...end],
  };
}

/** Only whoever pressed sees it. `link` is an address of this service. */
export const onlyForYou = (words: string, link?: { label: string; address: string }) => ({
  response_type: "ephemeral",
  replace_original: false,
  text: [escaped(words, 2500), ...(link ? [`<${link.address}|${escaped(link.label, 200)}>`] : [])].join(" "),
});
