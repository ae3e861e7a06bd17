import { z } from "zod";

/**
 * What the destination of each type of recipient looks like, and whether it is a secret: such a one is stored encrypted, and
 * only its end is ever shown again. Whoever knows the address of a chat's webhook or of a topic can post there, and the one
 * of an endpoint may contain a token. The browser loads this file too.
 */

const webAddress = z.url({ protocol: /^https?$/, message: "must be an http(s) address" }).max(2000);

/** A key by itself, or as the user name of the server's address. */
const keyOrAddress = (key: RegExp, words: string) =>
  z
    .string()
    .max(2000)
    .refine(
      (text) => key.test(text) || (webAddress.safeParse(text).success && key.test(keyIn(text))),
      `must be ${words}, or https://KEY@ and the server's host`,
    );

/** null for what is no address: what is refined may be any text. */
const addressIn = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

/** Of a user name or password in an address; as it is if it is no encoding of anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const keyIn = (address: string) => decoded(addressIn(address)?.username ?? "");

/** The account and the numbers in the address of an SMS service; null for another text. */
export function smsAccount(text: string) {
  const url = addressIn(text);
  if (!url) return null;
  // A plus in a query is a space.
  const number = (name: string) => (url.searchParams.get(name) ?? "").replace(/^ /, "+");
  return {
    ...{ origin: url.origin, sid: decoded(url.username), token: decoded(url.password) },
    ...{ from: number("from"), to: number("to") },
  };
}

const phone = /^\+[1-9]\d{6,14}$/;
const smsAddress = webAddress.refine((text) => {
  const account = smsAccount(text);
  return account?.sid && account.token && account.from && phone.test(account.to);
}, "must be https://SID:TOKEN@ and the host, with ?from= a number or sender and &to= a number such as +4915112345678");

/** Where issues are created: `https://EMAIL:TOKEN@acme.atlassian.net/?project=OPS&type=Bug&done=Done`. */
export type JiraProject = {
  server: string;
  email: string;
  token: string;
  key: string;
  /** The name of the type of issues. */
  type: string;
  /** The transition at the end; null if there is only a comment. */
  done: string | null;
};

/** null for another text. */
export function jiraProject(text: string): JiraProject | null {
  const url = addressIn(text);
  const key = url?.searchParams.get("project") ?? "";
  if (!url?.username || !url.password || !/^[A-Z][A-Z0-9_]{0,99}$/.test(key)) return null;
  return {
    server: `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
    ...{ email: decoded(url.username), token: decoded(url.password), key },
    type: url.searchParams.get("type") || "Task",
    done: url.searchParams.get("done") || null,
  };
}

const jiraAddress = webAddress.refine(
  (text) => jiraProject(text) !== null,
  "must be https://EMAIL:TOKEN@ and the host, with ?project= and the key of a project, such as OPS",
);

const ntfyAddress = webAddress.refine(
  (text) => /^\/[-\w]{1,64}$/.test(addressIn(text)?.pathname ?? ""),
  "must be the address of a topic, such as https://ntfy.sh/data-team",
);

/** Of a channel, private channel, or direct message, as Slack shows it in the channel's details. */
const slackChannel = /^[CGD][A-Z0-9]{8,20}$/;
export const isSlackChannel = (destination: string): boolean => slackChannel.test(destination);

const slackDestination = z
  .string()
  .max(2000)
  .refine(
    (text) => slackChannel.test(text) || webAddress.safeParse(text).success,
    "must be the http(s) address of a webhook, or a channel's ID such as C0123456789",
  );

/** Where the bot posts: what it tells in a channel that asks it. */
export const isTeamsConversation = (destination: string): boolean =>
  /^\/(.+\/)?v3\/conversations\/[^/]+$/.test(addressIn(destination)?.pathname ?? "");

export const destinations = {
  Email: { schema: z.email("must be an email address"), isSecret: false },
  Slack: { schema: slackDestination, isSecret: true },
  Teams: { schema: webAddress, isSecret: true },
  Webhook: { schema: webAddress, isSecret: true },
  PagerDuty: {
    schema: keyOrAddress(/^[A-Za-z0-9]{32}$/, "an integration key of 32 characters"),
    isSecret: true,
  },
  Opsgenie: { schema: keyOrAddress(/^[0-9a-fA-F-]{36}$/, "an API key of 36 characters"), isSecret: true },
  Discord: { schema: webAddress, isSecret: true },
  GoogleChat: { schema: webAddress, isSecret: true },
  Ntfy: { schema: ntfyAddress, isSecret: true },
  Sms: { schema: smsAddress, isSecret: true },
  Jira: { schema: jiraAddress, isSecret: true },
} as const satisfies Record<string, { schema: z.ZodType<string>; isSecret: boolean }>;

export type DestinationType = keyof typeof destinations;

/** What is shown of a destination: of a secret, where it leads, and its last four characters. */
export function shownDestination(type: DestinationType, destination: string): string {
  if (!destinations[type].isSecret || (type === "Slack" && isSlackChannel(destination))) return destination;
  const end = `…${destination.slice(-4)}`;
  const url = addressIn(destination);
  if (!url) return end;
  if (type === "Sms") return `${url.host}/ to ${smsAccount(destination)?.to}`;
  if (type === "Jira") return `${url.host}/ project ${jiraProject(destination)?.key}`;
  return `${url.host}/${end}`;
}

/** A server's address with the key in it, which may be the whole destination. */
export function keyAndServer(destination: string, usual: string): { key: string; server: string } {
  const url = /^https?:/.test(destination) ? addressIn(destination) : null;
  return url ? { key: keyIn(destination), server: url.origin } : { key: destination, server: usual };
}
