import { z } from "zod";

/**
 * The frames of the Pusher Channels protocol, version 7, as far as the hub supports it: signing in, the channel of the
 * signed-in user, pings, and errors. There are no other channels.
 */
export const protocolVersion = "7";

/**
 * Why a connection ends. The range tells the client what to do next: 40xx do not reconnect, 41xx reconnect after a
 * second, 42xx immediately, 43xx do not reconnect.
 */
export const closings = {
  unknownKey: { code: 4001, message: "No app has this key" },
  overQuota: { code: 4004, message: "This user has too many connections" },
  malformedVersion: { code: 4006, message: "The protocol version is malformed" },
  unsupportedVersion: { code: 4007, message: `Only protocol version ${protocolVersion} is supported` },
  noVersion: { code: 4008, message: "No protocol version was supplied" },
  notSignedIn: { code: 4009, message: "Not signed in" },
  overCapacity: { code: 4100, message: "Over capacity" },
  reconnect: { code: 4200, message: "Reconnect" },
  noPong: { code: 4201, message: "No pong was received in time" },
  tooManyMessages: { code: 4301, message: "Too many messages" },
} as const;

export type Closing = (typeof closings)[keyof typeof closings];

const frame = z.object({ event: z.string().max(200), data: z.unknown() });

export type Frame = z.infer<typeof frame>;

/** Parses a client's message; null if invalid. Its data may be JSON or, as some clients send it, JSON in text. */
export function readFrame(text: string): Frame | null {
  try {
    const { event, data } = frame.parse(JSON.parse(text));
    return { event, data: typeof data === "string" ? JSON.parse(data) : data };
  } catch {
    return null;
  }
}

export const signInData = z.object({ auth: z.string().max(200), user_data: z.string().max(2000) });
export const subscribeData = z.object({ channel: z.string().max(200) });

/** The hub's path. Clients receive it as `wsPath`, and publishers append it to their host. */
export const hubPath = "/svc/api/hub";

/** Why a connection is rejected by its URL: another app's key or an unsupported protocol version. Otherwise null. */
export function admissionOf(url: URL, key: string): Closing | null {
  const version = url.searchParams.get("protocol");
  if (url.pathname !== `${hubPath}/app/${key}`) return closings.unknownKey;
  if (version === null) return closings.noVersion;
  if (!/^\d{1,9}$/.test(version)) return closings.malformedVersion;
  return version === protocolVersion ? null : closings.unsupportedVersion;
}

const userChannel = /^#server-to-user-([1-9]\d{0,9})$/;

export const channelOf = (userId: number) => `#server-to-user-${userId}`;

/** The user of this channel, or null for another kind of channel. */
export function userOf(channel: string): number | null {
  const [, id] = userChannel.exec(channel) ?? [];
  return id === undefined || Number(id) > 2_147_483_647 ? null : Number(id);
}

/** Like an app's own events: `data` is JSON text. */
export const eventFrame = (event: string, data: string, channel: string) =>
  JSON.stringify({ event, channel, data });

export const establishedFrame = (socketId: string, activityTimeout: number) =>
  JSON.stringify({
    event: "pusher:connection_established",
    data: JSON.stringify({ socket_id: socketId, activity_timeout: activityTimeout }),
  });

export const signedInFrame = (userData: string) =>
  JSON.stringify({ event: "pusher:signin_success", data: JSON.stringify({ user_data: userData }) });

export const subscribedFrame = (channel: string) =>
  eventFrame("pusher_internal:subscription_succeeded", "{}", channel);

export const subscriptionRefusedFrame = (channel: string) =>
  JSON.stringify({
    event: "pusher:subscription_error",
    channel,
    data: {
      type: "AuthError",
      error: "Events go to signed-in users; there are no other channels",
      status: 403,
    },
  });

export const errorFrame = (code: number | null, message: string) =>
  JSON.stringify({ event: "pusher:error", data: { code, message } });

export const pingFrame = JSON.stringify({ event: "pusher:ping", data: "{}" });
export const pongFrame = JSON.stringify({ event: "pusher:pong", data: "{}" });
