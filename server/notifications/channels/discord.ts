import { shortened } from "../../text.ts";
import { chartPicture, chartWords } from "../picture/chart-picture.ts";
import type { Channel, Message } from "./channel.ts";
import { addressOf } from "./link.ts";
import { postJson } from "./post.ts";
import { toneSigns } from "./tone.ts";

/** An embed to a channel's webhook, with the chart as an attached picture. */
export const discord: Channel = async ({ destination }, message, timeoutMs) => {
  const { chart } = message.content;
  const embed = discordMessage(message);
  if (!chart) return postJson({ url: destination, body: JSON.stringify(embed), timeoutMs });
  const form = new FormData();
  form.set("payload_json", JSON.stringify(embed));
  form.set("files[0]", new Blob([new Uint8Array(chartPicture(chart))], { type: "image/png" }), chartFile);
  // Serializes the form, with the boundary in its type.
  const { headers, body } = await encoded(form);
  return postJson({ url: destination, body, headers, timeoutMs });
};

const chartFile = "chart.png";

async function encoded(form: FormData) {
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "multipart/form-data";
  return { headers: { "content-type": type }, body: new Uint8Array(await response.arrayBuffer()) };
}

const colors = { Info: 0x5b6b7f, Good: 0x1f7a3f, Warning: 0xb07000, Critical: 0xc62828 } as const;
/** An embed has at most 25 fields, and 6,000 characters in all. */
const max = { title: 256, description: 2000, fields: 15, label: 100, value: 150, note: 300, alt: 1000 };

export function discordMessage({ content }: Message) {
  const { title, tone, summary, facts, chart, link, actions = [], note } = content;
  const { sign } = toneSigns[tone];
  const links = actions.map(({ label, path }) => `[${plain(label)}](${addressOf(path)})`).join(" · ");
  return {
    // Nobody is mentioned, whatever a name contains.
    allowed_mentions: { parse: [] },
    ...(chart && {
      attachments: [{ id: 0, filename: chartFile, description: shortened(chartWords(chart), max.alt) }],
    }),
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
        ...(chart && { image: { url: `attachment://${chartFile}` } }),
        ...(note && { footer: { text: shortened(note, max.note) } }),
      },
    ],
  };
}

/** Markdown's signs are shown rather than applied. */
const plain = (text: string) => text.replace(/[\\*_~`|>[\]()#]/g, "\\$&");
