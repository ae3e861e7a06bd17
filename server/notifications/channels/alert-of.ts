import type { Message } from "./channel.ts";
import { addressOf } from "./link.ts";

/** What a message is to a service that pages people: an alert that opens, or is over. Pure but for the service's address. */

export type Alert = {
  /** The same for the beginning and the end of one thing. */
  key: string;
  isOver: boolean;
  severity: "critical" | "warning" | "info";
  title: string;
  text: string;
  facts: Record<string, string>;
  link: { label: string; url: string } | null;
};

const maxFacts = 20;

/** null if there is nothing to page for: good news about what never opened an alert, and summaries. */
export function alertOf({ id, cause, content }: Message): Alert | null {
  const { title, tone, summary, facts, link } = content;
  // What has a beginning and an end of its own.
  const lasts = cause.kind === "Incident" || cause.kind === "Monitor";
  const isOver = tone === "Good" && cause.kind !== "Test";
  if ((isOver && !lasts) || cause.kind === "Digest") return null;
  return {
    key: lasts ? `plumbline-${cause.kind.toLowerCase()}-${cause.id}` : id,
    isOver,
    severity: tone === "Critical" ? "critical" : tone === "Warning" ? "warning" : "info",
    title,
    text: summary,
    facts: Object.fromEntries(facts.slice(0, maxFacts).map(({ label, value }) => [label, value])),
    link: link ? { label: link.label, url: addressOf(link.path) } : null,
  };
}

export const nothingToPage = "Not forwarded: it is nothing to be woken for";
