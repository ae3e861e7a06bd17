import { shortened } from "../../text.ts";
import type { Fact, NotificationContent } from "../content.ts";
import { isTeamsConversation } from "../destinations.ts";
import {
  buttonLabel,
  buttonLooks,
  buttonsOf,
  buttonValue,
  type MessageButton,
  maxReason,
} from "../message-buttons.ts";
import { chartWords } from "../picture/chart-picture.ts";
import type { Channel, Message } from "./channel.ts";
import { cellText, chatRowsInWords, chatTable } from "./first-rows.ts";
import { addressOf } from "./link.ts";
import { postJson } from "./post.ts";
import { signedMessageId } from "./signed-message-id.ts";
import { postByTeamsBot } from "./teams-bot.ts";
import { toneSigns } from "./tone.ts";

/** An Adaptive Card to the webhook of a Teams workflow, or by the bot to a conversation, where buttons work. */
export const teams: Channel = ({ destination }, message, timeoutMs) =>
  isTeamsConversation(destination)
    ? postByTeamsBot(destination, teamsMessage(message, { buttons: buttonsOf(message.content) }), timeoutMs)
    : postJson({ url: destination, body: JSON.stringify(teamsMessage(message)), timeoutMs });

/** Teams accepts 28 KB; some is reserved for what the workflow adds. */
const maxBytes = 24 * 1024;
const maxColumns = 5;

const colors = { Info: "accent", Good: "good", Warning: "warning", Critical: "attention" } as const;

type Run = {
  type: "TextRun";
  text: string;
  weight?: "bolder";
  size?: "large";
  color?: string;
  isSubtle?: true;
};
type Element = { type: string; [property: string]: unknown };

const run = (text: string, looks: Omit<Run, "type" | "text"> = {}): Run => ({
  type: "TextRun",
  text,
  ...looks,
});

/** A paragraph. Only text runs do not interpret Markdown, so that names and values are shown literally. */
const paragraph = (inlines: Run[], more: object = {}): Element => ({
  type: "RichTextBlock",
  inlines,
  ...more,
});

type AppPart = {
  /** Instead of links that lead to a page. */
  buttons: readonly MessageButton[];
  /** What has happened since. */
  said?: string;
  /** Shown before the other links. */
  links?: readonly { label: string; path: string }[];
};

export function teamsMessage({ id, content, pictureAddress }: Message, app?: AppPart) {
  const { sign } = toneSigns[content.tone];
  const head = [
    paragraph([
      run(`${sign} ${content.title}`, { weight: "bolder", size: "large", color: colors[content.tone] }),
    ]),
    ...(content.summary ? [paragraph([run(shortened(content.summary, 2000))])] : []),
    ...(content.chart && pictureAddress
      ? [{ type: "Image", url: pictureAddress, altText: chartWords(content.chart), size: "stretch" }]
      : []),
  ];
  const end = [
    ...(content.note ? [paragraph([run(shortened(content.note, 500), { isSubtle: true })])] : []),
    ...(app?.said
      ? [paragraph([run(shortened(app.said, 1000), { weight: "bolder" })], { separator: true })]
      : []),
    ...(app ? reasonInput(app.buttons) : []),
  ];
  const actions = app ? appActions(id, content, app) : linkActions(content);
  const parts = [
    ...content.facts.map((each) => fact(each)),
    ...(content.groups ?? []).map(group),
    ...firstRows(content),
  ];
  const whole = (count: number) => [
    ...head,
    ...parts.slice(0, count),
    ...(count < parts.length ? [paragraph([run("… and more", { isSubtle: true })])] : []),
    ...end,
  ];
  // As many as fit, from the start.
  let count = parts.length;
  while (count > 0 && bytesOf(cardMessage(whole(count), actions)) > maxBytes) count -= 1;
  return cardMessage(whole(count), actions);
}

function cardMessage(body: Element[], actions: Element[]) {
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.5",
          msteams: { width: "Full" },
          body,
          ...(actions.length > 0 && { actions }),
        },
      },
    ],
  };
}

const openAction = ({ label, path }: { label: string; path: string }): Element => ({
  type: "Action.OpenUrl",
  title: shortened(label, 100),
  url: addressOf(path),
});

const linkActions = ({ link, actions = [] }: NotificationContent): Element[] =>
  [...(link ? [link] : []), ...actions].map(openAction);

/** Teams reports a press of these to the bot, with the data and the reason. */
function appActions(messageId: string, { link }: NotificationContent, { buttons, links = [] }: AppPart) {
  const styles = { primary: "positive", danger: "destructive" } as const;
  return [
    ...buttons.map((button): Element => {
      const { style } = buttonLooks[button.deed];
      return {
        type: "Action.Execute",
        verb: "press",
        title: buttonLabel(button),
        data: { button: buttonValue(button), of: signedMessageId(messageId) },
        ...(style && { style: styles[style] }),
      };
    }),
    ...[...links, ...(link ? [link] : [])].map(openAction),
  ];
}

function reasonInput(buttons: readonly MessageButton[]): Element[] {
  const reasons = buttons.map(({ deed }) => buttonLooks[deed].reason);
  if (!reasons.some(Boolean)) return [];
  const label = reasons.includes("required") ? "Reason (required to reject)" : "Reason";
  return [{ type: "Input.Text", id: "reason", label, isMultiline: true, maxLength: maxReason }];
}

const fact = ({ label, value }: Fact, spacing = "small") =>
  paragraph([run(`${shortened(label, 200)}: `, { weight: "bolder" }), run(shortened(value || "–", 800))], {
    spacing,
  });

const group = ({ title, facts }: { title: string; facts: Fact[] }): Element => ({
  type: "Container",
  separator: true,
  items: [
    paragraph([run(shortened(title, 200), { weight: "bolder" })]),
    ...facts.map((each) => fact(each, "none")),
  ],
});

function firstRows(content: NotificationContent): Element[] {
  if (!content.table || content.table.rows.length === 0) return [];
  const { table, maskedColumns } = chatTable(content.table);
  const columns = table.columns.slice(0, maxColumns);
  const { rows } = table;
  const row = (cells: string[], looks: Omit<Run, "type" | "text"> = {}) => ({
    type: "TableRow",
    cells: cells.map((text) => ({
      type: "TableCell",
      items: [paragraph([run(shortened(text, 60), looks)])],
    })),
  });
  return [
    paragraph([run(shortened(chatRowsInWords(rows.length, table, maskedColumns), 300), { isSubtle: true })], {
      separator: true,
    }),
    {
      type: "Table",
      firstRowAsHeaders: true,
      columns: columns.map(() => ({ width: 1 })),
      rows: [
        row(columns, { weight: "bolder" }),
        ...rows.map((cells) => row(columns.map((_, i) => cellText(cells[i])))),
      ],
    },
  ];
}

const bytesOf = (message: object) => Buffer.byteLength(JSON.stringify(message));
