import { z } from "zod";
import { Problem } from "../errors.ts";

/**
 * Messages between the hubs of several processes, using NOTIFY. A payload must be shorter than 8000 bytes, so events
 * contain ids rather than objects.
 */
export const hubChannel = "plumbline_hub";

const longestPayload = 7_999;

/** An event for these users: `data` is JSON text, as in the protocol. */
const message = z.object({ users: z.array(z.int()), name: z.string(), data: z.string() });

export type HubMessage = z.infer<typeof message>;

const usersAtOnce = 200;

/** Splits a message into payloads that fit. Throws too_large for data that does not fit, however few the users. */
export function notificationsOf({ users, name, data }: HubMessage): string[] {
  const payloads: string[] = [];
  for (let first = 0; first < users.length; first += usersAtOnce)
    payloads.push(JSON.stringify({ users: users.slice(first, first + usersAtOnce), name, data }));
  if (payloads.some((payload) => Buffer.byteLength(payload) > longestPayload))
    throw new Problem("too_large", "The event is too large: send IDs, not records");
  return payloads;
}

/** null for a payload that no hub has sent. */
export function readMessage(payload: string): HubMessage | null {
  try {
    return message.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
