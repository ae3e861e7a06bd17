import type { recipientTypes } from "./schema.ts";

/** Each type of recipient as people know it. Pure; also for the browser. */
export const recipientTypeLabels: Record<(typeof recipientTypes)[number], string> = {
  Email: "Email",
  Slack: "Slack",
  Teams: "Teams",
  Webhook: "Webhook",
  PagerDuty: "PagerDuty",
  Opsgenie: "Opsgenie",
  Discord: "Discord",
  GoogleChat: "Google Chat",
  Ntfy: "ntfy",
  Sms: "SMS",
  Jira: "Jira",
};
