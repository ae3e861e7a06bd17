import { z } from "zod";

/**
 * The frames of the Pusher Channels protocol, version 7, as far as the hub speaks it: signing in, the channel of
 * the signed-in user, pings and errors. There are no channels that anybody could subscribe to.
 */
export const protocolVersion = "7";

/**
 * Why a connection ends. What the client does next is in the hundreds: 40xx stays away, 41xx comes back after a
 * second, 42xx at once, 43xx stays away.
 */
export const closings = {
  unknownKey: { code: 4001, message: "There is no app with this key" },
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

/** A message of a client's; null for what is none. Its data may be JSON or, as some clients send it, JSON in a text. */
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

/** Where the hub is. Clients are told it as their `wsPath`, and publishers add it to their host. */
export const hubPath = "/svc/api/hub";

/** Why a connection is not for the app with this key, or null: by what is asked for in its address. */
export function admissionOf(url: URL, key: string): Closing | null {
  const version = url.searchParams.get("protocol");
  if (url.pathname !== `${hubPath}/app/${key}`) return closings.unknownKey;
  if (version === null) return closings.noVersion;
  if (!/^\d{1,9}$/.test(version)) return closings.malformedVersion;
  return version === protocolVersion ? null : closings.unsupportedVersion;
}

const userChannel = /^#server-to-user-([1-9]\d{0,9})$/;

export const channelOf = (userId: number) => `#server-to-user-${userId}`;

/** Whose channel this is, or null for another kind of channel. */
export function userOf(channel: string): number | null {
  const [, id] = userChannel.exec(channel) ?? [];
  return id === undefined || Number(id) > 2_147_483_647 ? null : Number(id);
}

/** As an app's own events are: `data` is JSON text. */
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
