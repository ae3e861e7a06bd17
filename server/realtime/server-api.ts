import { z } from "zod";
import { db } from "../db/client.ts";
import { invalidRequest, Problem } from "../errors.ts";
import { fieldErrors } from "../trpc.ts";
import { externalHub, ownCredentials } from "./credentials.ts";
import { hubPath, userOf } from "./protocol.ts";
import { notifyHubs } from "./service.ts";
import { requestRefusal, type SignedRequest } from "./signature.ts";

/**
 * The server API of the Pusher protocol, for publishers that hold the app's secret, such as the official SDKs. Events
 * are sent to users, as by the SDKs' `sendToUser`; there are no other channels.
 */
const event = z.object({
  name: z.string().min(1).max(200),
  /** JSON text, or any other text. */
  data: z.string(),
});

const bodies = {
  events: event
    .extend({ channels: z.array(z.string()).min(1).max(100).optional(), channel: z.string().optional() })
    .transform(({ channel, channels, ...rest }) => [
      { ...rest, channels: channels ?? (channel ? [channel] : []) },
    ]),
  batch_events: z
    .object({
      batch: z
        .array(event.extend({ channel: z.string() }))
        .min(1)
        .max(10),
    })
    .transform(({ batch }) => batch.map(({ channel, ...rest }) => ({ ...rest, channels: [channel] }))),
} as const;

/** A publisher's request: `events` of the app `appId`. The path is the full one. */
export type ServerCall = SignedRequest & { appId: string; resource: string };

/** Publishes the events of a signed request. Throws unauthenticated, not_found, invalid, and too_large. */
export async function publishEvents(call: ServerCall): Promise<void> {
  const credentials = ownCredentials();
  const read = bodies[call.resource as keyof typeof bodies];
  if (externalHub() || !Object.hasOwn(bodies, call.resource)) throw nothingHere();
  // SDKs sign the path as they know it, which may lack the part before /apps.
  const paths = [call.path.slice(hubPath.length), call.path];
  const refusals = paths.map((path) => requestRefusal({ ...call, path }, credentials));
  if (!refusals.includes(null)) throw new Problem("unauthenticated", refusals[0] ?? "");
  if (call.appId !== credentials.appId) throw nothingHere();

  const parsed = read.safeParse(jsonOf(call.body));
  if (!parsed.success) throw invalidRequest(fieldErrors(parsed.error));
  const messages = parsed.data.map(({ name, data, channels }) => ({ name, data, users: usersOf(channels) }));
  await db.transaction(async (tx) => {
    for (const message of messages) await notifyHubs(tx, message);
  });
}

const nothingHere = () => new Problem("not_found", "Not found");

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Problem("invalid", "The body is not JSON");
  }
}

function usersOf(channels: string[]): number[] {
  const users = channels.map(userOf);
  if (users.length === 0 || users.includes(null))
    throw new Problem("invalid", "Send events to users with sendToUser: there are no other channels");
  return [...new Set(users)].filter((id) => id !== null);
}
