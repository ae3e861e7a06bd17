import { z } from "zod";
import { Problem } from "../errors.ts";

/**
 * What the hubs of several processes tell each other, as NOTIFY of their database. A payload has less than 8000
 * bytes, so an event carries ids and not things.
 */
export const hubChannel = "plumbline_hub";

const longestPayload = 7_999;

/** An event for these users: `data` is JSON text, as the protocol carries it. */
const message = z.object({ users: z.array(z.int()), name: z.string(), data: z.string() });

export type HubMessage = z.infer<typeof message>;

const usersAtOnce = 200;

/** A message as payloads that fit. Throws too_large for data that does not, however few users it is for. */
export function notificationsOf({ users, name, data }: HubMessage): string[] {
  const payloads: string[] = [];
  for (let first = 0; first < users.length; first += usersAtOnce)
    payloads.push(JSON.stringify({ users: users.slice(first, first + usersAtOnce), name, data }));
  if (payloads.some((payload) => Buffer.byteLength(payload) > longestPayload))
    throw new Problem("too_large", "The event is too large: it carries ids, not things");
  return payloads;
}

/** null for what no hub has sent. */
export function readMessage(payload: string): HubMessage | null {
  try {
    return message.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
