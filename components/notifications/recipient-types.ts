import { Globe, type LucideIcon, Mail, MessageSquare, MessagesSquare } from "@/components/ui/icons.tsx";
import type { Recipient } from "@/server/notifications/schema.ts";

export type RecipientType = Recipient["type"];

/** Each type's label, and what its destination is. */
export const recipientTypes: Record<
  RecipientType,
  { label: string; icon: LucideIcon; destination: string; placeholder: string; hint: string }
> = {
  Email: {
    label: "Email",
    icon: Mail,
    destination: "Email address",
    placeholder: "data-team@example.com",
    hint: "A person or a mailing list",
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
    hint: "Your own endpoint; every request is signed",
  },
};

/** The types a recipient can change to: a webhook stays one, since its secret is shown only once. */
export function typesFor(current: RecipientType | null): RecipientType[] {
  const all: RecipientType[] = ["Email", "Slack", "Teams", "Webhook"];
  if (current === null) return all;
  return all.filter((type) => (type === "Webhook") === (current === "Webhook"));
}
