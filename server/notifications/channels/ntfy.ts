import { shortened } from "../../text.ts";
import type { Channel, Message } from "./channel.ts";
import { addressOf } from "./link.ts";
import { postJson } from "./post.ts";

/** A push message by ntfy, to a topic of its own server or anyone's. */
export const ntfy: Channel = ({ destination }, message, timeoutMs) => {
  const url = new URL(destination);
  const topic = url.pathname.slice(1);
  // As JSON it goes to the server's root: headers could not hold every title.
  url.pathname = "/";
  return postJson({ url: url.href, body: JSON.stringify({ topic, ...ntfyMessage(message) }), timeoutMs });
};

const priorities = { Info: 2, Good: 2, Warning: 4, Critical: 5 } as const;
const tags = {
  Info: "information_source",
  Good: "white_check_mark",
  Warning: "warning",
  Critical: "rotating_light",
};
/** A longer message becomes an attachment. */
const maxMessage = 2000;

export function ntfyMessage({ content }: Message) {
  const { title, tone, summary, facts, link, actions = [] } = content;
  const lines = [summary, ...facts.slice(0, 10).map(({ label, value }) => `${label}: ${value}`)];
  return {
    title: shortened(title, 250),
    message: shortened(lines.filter(Boolean).join("\n") || title, maxMessage),
    priority: priorities[tone],
    tags: [tags[tone]],
    ...(link && { click: addressOf(link.path) }),
    // Three at most.
    actions: actions
      .slice(0, 3)
      .map(({ label, path }) => ({ action: "view", label: shortened(label, 60), url: addressOf(path) })),
  };
}
