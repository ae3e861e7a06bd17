import type { Recipient } from "../schema.ts";
import type { Channel } from "./channel.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { googleChat } from "./google-chat.ts";
import { jira } from "./jira.ts";
import { ntfy } from "./ntfy.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerDuty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { sms } from "./sms.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

export const channels: Record<Recipient["type"], Channel> = {
  Email: email,
  PagerDuty: pagerDuty,
  Opsgenie: opsgenie,
  Discord: discord,
  GoogleChat: googleChat,
  Ntfy: ntfy,
  Sms: sms,
  Jira: jira,
  Slack: slack,
  Teams: teams,
  Webhook: webhook,
};
