import { shortened } from "../../text.ts";
import { keyAndServer } from "../destinations.ts";
import { type Alert, alertOf, nothingToPage } from "./alert-of.ts";
import { type Channel, sent } from "./channel.ts";
import { postJson } from "./post.ts";

/** Opsgenie's alert API: an incident opens an alert there, by its alias, and closes it. */
export const opsgenie: Channel = async ({ destination }, message, timeoutMs) => {
  const { key, server } = keyAndServer(destination, "https://api.opsgenie.com");
  const alert = alertOf(message);
  if (alert === null) return sent(nothingToPage);
  const post = { headers: { authorization: `GenieKey ${key}` }, timeoutMs };
  if (alert.isOver)
    return postJson({
      ...post,
      url: `${server}/v2/alerts/${encodeURIComponent(alert.key)}/close?identifierType=alias`,
      body: JSON.stringify({ source: "Plumbline", note: shortened(alert.text, 1000) }),
    });
  return postJson({ ...post, url: `${server}/v2/alerts`, body: JSON.stringify(newAlert(alert)) });
};

const priorities = { critical: "P1", warning: "P3", info: "P5" } as const;

/** By the limits of the API: 130 characters for the message, 15,000 for the description, 8,000 for details together. */
function newAlert({ key, severity, title, text, facts, link }: Alert) {
  const details = Object.fromEntries(
    Object.entries(facts).map(([label, value]) => [shortened(label, 100), shortened(value, 250)]),
  );
  return {
    message: shortened(title, 130),
    alias: key,
    description: shortened([title, text, link?.url].filter(Boolean).join("\n"), 10_000),
    priority: priorities[severity],
    source: "Plumbline",
    details,
  };
}
