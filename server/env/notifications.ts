import { z } from "zod";
import { isNetwork, optionalText, type Refuse, type Values } from "./values.ts";

/** Hosts, addresses, and CIDRs: `api.internal, 10.1.0.0/16`. A bare number is not a host, though some parsers read it as an address. */
const hostsAndNetworks = z
  .string()
  .refine(
    (text) =>
      text
        .split(",")
        .every((each) => isNetwork(each.trim()) || /^(?=.*[a-z])[a-z0-9._-]+$/i.test(each.trim())),
    "must be hosts, addresses, and CIDRs separated by commas",
  );

/** smtp upgrades to TLS if the server offers it; smtps starts with TLS. */
const mailServer = z
  .url({ protocol: /^smtps?$/, message: "must be an smtp:// or smtps:// address" })
  .refine((address) => URL.canParse(address) && new URL(address).hostname !== "", "must name a host");

/** `alerts@example.com`, or `Plumbline <alerts@example.com>`. */
const mailbox = z
  .string()
  .refine(
    (text) => z.email().safeParse((/^[^<>\r\n]*<([^<>]*)>$/.exec(text)?.[1] ?? text).trim()).success,
    "must be an email address, or a name and <an email address>",
  );

/** What is sent to other services, and which of them may be reached. */
export const notificationSettings = {
  OPENLINEAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "An OpenLineage service that is sent each evaluation as a run with its assertions, such as https://lineage.example.com. Nothing is sent unless it is set. A private address must also be in OUTBOUND_ALLOW.",
    ),
  OPENLINEAGE_ENDPOINT: z
    .string()
    .default("api/v1/lineage")
    .describe("The path below OPENLINEAGE_URL that takes events."),
  OPENLINEAGE_API_KEY: z.string().optional().describe("Sent to it as a bearer token."),
  OPENLINEAGE_NAMESPACE: z
    .string()
    .min(1)
    .max(200)
    .default("plumbline")
    .describe("The namespace of the jobs in these events; another one for each installation."),
  OUTBOUND_ALLOW: hostsAndNetworks
    .optional()
    .describe(
      "Private hosts, addresses, and CIDRs that REST API, Snowflake, and BigQuery data sources, Slack, Teams, and webhooks may reach.",
    ),
  SNOWFLAKE_EMULATOR: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Where every account of Snowflake is reached instead of at snowflakecomputing.com: an emulator, for tests. A private address must also be in OUTBOUND_ALLOW.",
    ),
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, "must be one word of ASCII with at least 16 characters")
    .optional()
    .describe(
      "With SLACK_BOT_TOKEN: people approve plans and changes and work on incidents and tasks by buttons in Slack. The Signing Secret of the Slack app.",
    ),
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-[\x21-\x7e]{8,}$/, "must be the Bot User OAuth Token, which begins with xoxb-")
    .optional()
    .describe("The Bot User OAuth Token of the Slack app, with which it posts to channels."),
  SLACK_API_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://slack.com/api")
    .describe("Slack's Web API. Change it for GovSlack: https://slack-gov.com/api."),
  TEAMS_APP_ID: z
    .guid("must be the app's ID, such as 00000000-0000-0000-0000-000000000000")
    .optional()
    .describe(
      "With TEAMS_APP_PASSWORD and TEAMS_TENANT_ID: the same buttons in Microsoft Teams. The Microsoft App ID of a bot.",
    ),
  TEAMS_APP_PASSWORD: optionalText.describe("A client secret of that app, with which it posts to channels."),
  TEAMS_TENANT_ID: z
    .guid("must be the tenant's ID, such as 00000000-0000-0000-0000-000000000000")
    .optional()
    .describe("The Microsoft Entra tenant of the app, whose people may press buttons."),
  TEAMS_SERVICE_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://smba.trafficmanager.net")
    .describe("The only host to which the bot posts and sends its token."),
  TEAMS_LOGIN_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://login.microsoftonline.com")
    .describe("Where the bot gets its token."),
  TEAMS_OPENID_URL: z
    .url({ protocol: /^https?$/ })
    .default("https://login.botframework.com/v1/.well-known/openidconfiguration")
    .describe("The OpenID metadata of the Bot Framework, whose keys sign what Teams reports."),
  SMTP_URL: mailServer
    .optional()
    .describe("With MAIL_FROM: the SMTP server that sends email, such as smtp://user:password@host:587."),
  MAIL_FROM: mailbox.optional().describe("The sender of email: an address, or a name and <an address>."),
};

/** Refuses a mail server without a sender, and apps of Slack and Teams that are incomplete. */
export function checkNotifications(s: Values<typeof notificationSettings>, refuse: Refuse): void {
  if (s.SMTP_URL && !s.MAIL_FROM)
    refuse("MAIL_FROM", "is required by SMTP_URL: set both, or neither to send no email");
  if (s.MAIL_FROM && !s.SMTP_URL)
    refuse("SMTP_URL", "is required by MAIL_FROM: set both, or neither to send no email");
  if (Boolean(s.SLACK_SIGNING_SECRET) !== Boolean(s.SLACK_BOT_TOKEN))
    refuse("SLACK_SIGNING_SECRET", "and SLACK_BOT_TOKEN are only useful together: set both, or none");
  const teams = [s.TEAMS_APP_ID, s.TEAMS_APP_PASSWORD, s.TEAMS_TENANT_ID].filter(Boolean);
  if (teams.length !== 0 && teams.length !== 3)
    refuse(
      "TEAMS_APP_ID",
      ", TEAMS_APP_PASSWORD, and TEAMS_TENANT_ID are only useful together: set all, or none",
    );
}
