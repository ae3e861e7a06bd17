import {
  Bell,
  Globe,
  type LucideIcon,
  Mail,
  MessageSquare,
  MessagesSquare,
  Siren,
  Smartphone,
} from "@/components/ui/icons.tsx";
import type { Recipient } from "@/server/notifications/schema.ts";
import { recipientTypeLabels } from "@/server/notifications/type-labels.ts";

export type RecipientType = Recipient["type"];

/** Each type's label, and what its destination is. */
export const recipientTypes: Record<
  RecipientType,
  { label: string; icon: LucideIcon; destination: string; placeholder: string; hint: string }
> = {
  Email: {
    label: recipientTypeLabels.Email,
    icon: Mail,
    destination: "Email address",
    placeholder: "data-team@example.com",
    hint: "A person or a mailing list",
  },
  Slack: {
    label: recipientTypeLabels.Slack,
    icon: MessageSquare,
    destination: "Webhook address or channel ID",
    placeholder: "https://hooks.slack.com/services/…",
    hint: "The incoming webhook of a channel, stored encrypted; or with the Slack app, the channel's ID, such as C0123456789",
  },
  Teams: {
    label: recipientTypeLabels.Teams,
    icon: MessagesSquare,
    destination: "Webhook address",
    placeholder: "https://…",
    hint: "The workflow webhook of a channel, or what the bot answers when you mention it there. Stored encrypted",
  },
  Webhook: {
    label: recipientTypeLabels.Webhook,
    icon: Globe,
    destination: "Address",
    placeholder: "https://example.com/hooks/quality",
    hint: "Your own endpoint; every request is signed. Stored encrypted",
  },
  PagerDuty: {
    label: recipientTypeLabels.PagerDuty,
    icon: Siren,
    destination: "Integration key",
    placeholder: "0123456789abcdef0123456789abcdef",
    hint: "Of a service's Events API v2 integration; in Europe https://KEY@events.eu.pagerduty.com. Stored encrypted",
  },
  Opsgenie: {
    label: recipientTypeLabels.Opsgenie,
    icon: Siren,
    destination: "API key",
    placeholder: "eb243592-faa2-4ba2-a551-1afdf565c889",
    hint: "Of a team's API integration; in Europe https://KEY@api.eu.opsgenie.com. Stored encrypted",
  },
  Discord: {
    label: recipientTypeLabels.Discord,
    icon: MessageSquare,
    destination: "Webhook address",
    placeholder: "https://discord.com/api/webhooks/…",
    hint: "The webhook of a channel. Stored encrypted",
  },
  GoogleChat: {
    label: recipientTypeLabels.GoogleChat,
    icon: MessagesSquare,
    destination: "Webhook address",
    placeholder: "https://chat.googleapis.com/v1/spaces/…",
    hint: "The webhook of a space. Stored encrypted",
  },
  Ntfy: {
    label: recipientTypeLabels.Ntfy,
    icon: Bell,
    destination: "Topic address",
    placeholder: "https://ntfy.sh/data-team",
    hint: "A topic on any ntfy server; whoever knows it can read it. Stored encrypted",
  },
  Sms: {
    label: recipientTypeLabels.Sms,
    icon: Smartphone,
    destination: "Address with account and numbers",
    placeholder: "https://SID:TOKEN@api.twilio.com/?from=%2B15005550006&to=%2B4915112345678",
    hint: "Twilio, or a service with the same API. Stored encrypted",
  },
  Jira: {
    label: recipientTypeLabels.Jira,
    icon: Siren,
    destination: "Address with account and project",
    placeholder: "https://EMAIL:TOKEN@acme.atlassian.net/?project=OPS&type=Task&done=Done",
    hint: "Creates an issue, and comments on it at the end; done names the transition that closes it. Write @ in EMAIL as %40. Stored encrypted",
  },
};

/** The types a recipient can change to: a webhook stays one, since its secret is shown only once. */
export function typesFor(current: RecipientType | null): RecipientType[] {
  const all = Object.keys(recipientTypes) as RecipientType[];
  if (current === null) return all;
  return all.filter((type) => (type === "Webhook") === (current === "Webhook"));
}
