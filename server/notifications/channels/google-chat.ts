import { shortened } from "../../text.ts";
import { chartWords } from "../picture/chart-picture.ts";
import type { Channel, Message } from "./channel.ts";
import { addressOf } from "./link.ts";
import { postJson } from "./post.ts";
import { toneSigns } from "./tone.ts";

/** A card to the incoming webhook of a space. */
export const googleChat: Channel = ({ destination }, message, timeoutMs) =>
  postJson({ url: destination, body: JSON.stringify(googleChatMessage(message)), timeoutMs });

const max = { title: 200, text: 2000, facts: 30, label: 100, value: 500 };

export function googleChatMessage({ id, content, pictureAddress }: Message) {
  const { title, tone, summary, facts, chart, link, actions = [], note } = content;
  const { sign, word } = toneSigns[tone];
  const buttons = [...(link ? [link] : []), ...actions].map(({ label, path }) => ({
    text: label,
    onClick: { openLink: { url: addressOf(path) } },
  }));
  const widgets = [
    ...(summary ? [{ textParagraph: { text: escaped(shortened(summary, max.text)) } }] : []),
    ...facts.slice(0, max.facts).map(({ label, value }) => ({
      decoratedText: {
        topLabel: shortened(label, max.label),
        text: escaped(shortened(value || "–", max.value)),
        wrapText: true,
      },
    })),
    ...(chart && pictureAddress ? [{ image: { imageUrl: pictureAddress, altText: chartWords(chart) } }] : []),
    ...(note ? [{ textParagraph: { text: escaped(shortened(note, max.value)) } }] : []),
    ...(buttons.length > 0 ? [{ buttonList: { buttons } }] : []),
  ];
  return {
    // Shown in notifications, and by clients without cards.
    fallbackText: shortened(`${word}: ${title}`, max.title),
    cardsV2: [
      {
        cardId: id,
        card: {
          header: { title: shortened(`${sign} ${title}`, max.title) },
          // A card without a widget is refused.
          sections: [
            { widgets: widgets.length > 0 ? widgets : [{ textParagraph: { text: escaped(title) } }] },
          ],
        },
      },
    ],
  };
}

/** Texts of a card are HTML. */
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
