import { z } from "zod";
import { optionalText, type Refuse, type Values } from "./values.ts";

/** `push.example.com`, optionally with a port. Uses https unless it starts with http://. */
const pusherHost = z
  .string()
  .transform((text) => (/^https?:\/\//.test(text) ? text : `https://${text}`))
  .refine(
    (address) => URL.canParse(address) && `${new URL(address).origin}/` === new URL(address).href,
    "must be a host, a host and a port, or an address without a path",
  );

/** Required together, with one of PUSHER_HOST and PUSHER_CLUSTER. */
const pusherSettings = ["PUSHER_APP_ID", "PUSHER_KEY", "PUSHER_SECRET"] as const;

/** Where real-time events go, if not through this process. */
export const realTimeSettings = {
  PUSHER_APP_ID: optionalText.describe(
    "With PUSHER_KEY, PUSHER_SECRET, and PUSHER_HOST or PUSHER_CLUSTER: real-time events go through Pusher or a compatible service instead of this process.",
  ),
  PUSHER_KEY: optionalText.describe("The app's key. Browsers receive it."),
  PUSHER_SECRET: optionalText.describe("The app's secret."),
  PUSHER_HOST: pusherHost
    .optional()
    .describe("The host of a Pusher-compatible service, as this process and browsers reach it."),
  PUSHER_CLUSTER: z
    .string()
    .regex(/^[a-z0-9-]+$/, "must be a Pusher cluster, such as eu")
    .optional()
    .describe("The app's cluster at Pusher, such as eu."),
};

/** Refuses a hub elsewhere that is incomplete, or at two places. */
export function checkRealTime(s: Values<typeof realTimeSettings>, refuse: Refuse): void {
  const missing = pusherSettings.find((name) => s[name] === undefined);
  const given = ([...pusherSettings, "PUSHER_HOST", "PUSHER_CLUSTER"] as const).find((name) => s[name]);
  if (given && missing)
    refuse(missing, `is required by ${given}: set all, or none for the hub in this process`);
  else if (given && !s.PUSHER_HOST && !s.PUSHER_CLUSTER)
    refuse("PUSHER_HOST", "or PUSHER_CLUSTER is required by PUSHER_APP_ID");
  else if (s.PUSHER_HOST && s.PUSHER_CLUSTER)
    refuse("PUSHER_HOST", "and PUSHER_CLUSTER are mutually exclusive: set one");
}
