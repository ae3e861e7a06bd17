import { shortened } from "../../text.ts";
import type { Channel, Message } from "./channel.ts";
import { addressOf } from "./link.ts";
import { postJson } from "./post.ts";
import { toneSigns } from "./tone.ts";

/** An embed to a channel's webhook. */
export const discord: Channel = ({ destination }, message, timeoutMs) =>
  postJson({ url: destination, body: JSON.stringify(discordMessage(message)), timeoutMs });

const colors = { Info: 0x5b6b7f, Good: 0x1f7a3f, Warning: 0xb07000, Critical: 0xc62828 } as const;
/** An embed has at most 25 fields, and 6,000 characters in all. */
const max = { title: 256, description: 2000, fields: 15, label: 100, value: 150, note: 300 };

export function discordMessage({ content }: Message) {
  const { title, tone, summary, facts, link, actions = [], note } = content;
  const { sign } = toneSigns[tone];
  const links = actions.map(({ label, path }) => `[${plain(label)}](${addressOf(path)})`).join(" · ");
  return {
    // Nobody is mentioned, whatever a name contains.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: shortened(`${sign} ${plain(title)}`, max.title),
        ...(link && { url: addressOf(link.path) }),
        description: [shortened(plain(summary), max.description), links].filter(Boolean).join("\n\n"),
        color: colors[tone],
        fields: facts.slice(0, max.fields).map(({ label, value }) => ({
          name: shortened(plain(label) || "–", max.label),
          value: shortened(plain(value) || "–", max.value),
        })),
        ...(note && { footer: { text: shortened(note, max.note) } }),
      },
    ],
  };
}

/** Markdown's signs are shown rather than applied. */
const plain = (text: string) => text.replace(/[\\*_~`|>[\]()#]/g, "\\$&");
