import type { Recipient } from "../schema.ts";
import type { Channel } from "./channel.ts";
import { email } from "./email.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

export const channels: Record<Recipient["type"], Channel> = {
  Email: email,
  Slack: slack,
  Teams: teams,
  Webhook: webhook,
};
