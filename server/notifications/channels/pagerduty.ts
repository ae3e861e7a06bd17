import { publicUrl } from "../../env.ts";
import { shortened } from "../../text.ts";
import { keyAndServer } from "../destinations.ts";
import { type Alert, alertOf, nothingToPage } from "./alert-of.ts";
import { type Channel, sent } from "./channel.ts";
import { postJson } from "./post.ts";

/** PagerDuty's Events API v2: an incident opens an alert there, and ends it. */
export const pagerDuty: Channel = async ({ destination }, message, timeoutMs) => {
  const { key, server } = keyAndServer(destination, "https://events.pagerduty.com");
  const alert = alertOf(message);
  if (alert === null) return sent(nothingToPage);
  return postJson({
    url: `${server}/v2/enqueue`,
    body: JSON.stringify(eventOf(alert, key)),
    timeoutMs,
    // "Event object is invalid": its words repeat nothing of ours.
    explain: (body) => /"message":"([A-Za-z ]{3,80})"/.exec(body)?.[1] ?? null,
  });
};

function eventOf({ key, isOver, severity, title, text, facts, link }: Alert, routingKey: string) {
  const event = { routing_key: routingKey, dedup_key: key };
  if (isOver) return { ...event, event_action: "resolve" };
  return {
    ...event,
    event_action: "trigger",
    payload: {
      // At most 1,024 characters.
      summary: shortened(title, 1024),
      source: new URL(publicUrl()).host,
      severity,
      custom_details: { summary: text, ...facts },
    },
    client: "Plumbline",
    client_url: publicUrl(),
    ...(link && { links: [{ href: link.url, text: link.label }] }),
  };
}
