import { z } from "zod";

/**
 * What the destination of each type of recipient looks like, and whether it is a secret: such a one is stored encrypted, and
 * only its end is ever shown again. The browser loads this file too.
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

const keyIn = (address: string) =>
  URL.canParse(address) ? decodeURIComponent(new URL(address).username) : "";

const phone = /^\+[1-9]\d{6,14}$/;
const smsAddress = webAddress.refine((text) => {
  const url = new URL(text);
  const { from, to } = Object.fromEntries(url.searchParams);
  return url.username !== "" && url.password !== "" && Boolean(from) && phone.test(to ?? "");
}, "must be https://SID:TOKEN@ and the host, with ?from= a number or sender and &to= a number such as +4915112345678");

const ntfyAddress = webAddress.refine(
  (text) => /^\/[-\w]{1,64}$/.test(new URL(text).pathname),
  "must be the address of a topic, such as https://ntfy.sh/data-team",
);

export const destinations = {
  Email: { schema: z.email("must be an email address"), isSecret: false },
  Slack: { schema: webAddress, isSecret: false },
  Teams: { schema: webAddress, isSecret: false },
  Webhook: { schema: webAddress, isSecret: false },
  PagerDuty: {
    schema: keyOrAddress(/^[A-Za-z0-9]{32}$/, "an integration key of 32 characters"),
    isSecret: true,
  },
  Opsgenie: { schema: keyOrAddress(/^[0-9a-fA-F-]{36}$/, "an API key of 36 characters"), isSecret: true },
  Discord: { schema: webAddress, isSecret: true },
  GoogleChat: { schema: webAddress, isSecret: true },
  Ntfy: { schema: ntfyAddress, isSecret: false },
  Sms: { schema: smsAddress, isSecret: true },
} as const satisfies Record<string, { schema: z.ZodType<string>; isSecret: boolean }>;

export type DestinationType = keyof typeof destinations;

/** What is shown of a destination: of a secret, where it leads, and its last four characters. */
export function shownDestination(type: DestinationType, destination: string): string {
  if (!destinations[type].isSecret) return destination;
  const end = `…${destination.slice(-4)}`;
  if (!URL.canParse(destination)) return end;
  const url = new URL(destination);
  const to = url.searchParams.get("to");
  return `${url.host}/${type === "Sms" && to !== null ? ` to ${to}` : end}`;
}

/** A server's address with the key in it, which may be the whole destination. */
export function keyAndServer(destination: string, usual: string): { key: string; server: string } {
  if (!URL.canParse(destination) || !/^https?:/.test(destination)) return { key: destination, server: usual };
  const { protocol, host } = new URL(destination);
  return { key: keyIn(destination), server: `${protocol}//${host}` };
}
