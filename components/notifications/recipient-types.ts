import { Globe, type LucideIcon, Mail, MessageSquare, MessagesSquare } from "lucide-react";
import type { Recipient } from "@/server/notifications/schema.ts";

export type RecipientType = Recipient["type"];

/** What each type is called, and what its destination is. */
export const recipientTypes: Record<
  RecipientType,
  { label: string; icon: LucideIcon; destination: string; placeholder: string; hint: string }
> = {
  Email: {
    label: "E-mail",
    icon: Mail,
    destination: "E-mail address",
    placeholder: "data-team@example.com",
    hint: "A person, or a list that several read",
  },
  Slack: {
    label: "Slack",
    icon: MessageSquare,
    destination: "Webhook address",
    placeholder: "https://hooks.slack.com/services/…",
    hint: "The incoming webhook of a channel",
  },
  Teams: {
    label: "Teams",
    icon: MessagesSquare,
    destination: "Webhook address",
    placeholder: "https://…",
    hint: "The workflow webhook of a channel",
  },
  Webhook: {
    label: "Webhook",
    icon: Globe,
    destination: "Address",
    placeholder: "https://example.com/hooks/quality",
    hint: "An endpoint of your own; every request to it is signed",
  },
};

/** The types that a recipient may be turned into: a webhook stays one, for its secret is shown only once. */
export function typesFor(current: RecipientType | null): RecipientType[] {
  const all: RecipientType[] = ["Email", "Slack", "Teams", "Webhook"];
  if (current === null) return all;
  return all.filter((type) => (type === "Webhook") === (current === "Webhook"));
}
