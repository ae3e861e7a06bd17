/** The hub's limits. Times are in milliseconds, sizes in bytes. Tests shorten them. */
export const hubLimits = {
  /** Connections in this process. Each costs about 30 kB. */
  connections: 20_000,
  /** Connections per user: several tabs on several devices. */
  connectionsOfUser: 50,
  /** Connections per address before signing in; afterwards they count for their user. */
  strangersOfCaller: 300,
  /** How long a client may stay without signing in. */
  signInMs: 30_000,
  /** An idle client sends a ping after this time, and is sent one a little later. */
  activityMs: 30_000,
  /** How long a response to a ping may take. */
  pongMs: 15_000,
  /** How often to check for idle clients and for those that have not signed in. */
  sweepMs: 5_000,
  /** How often to check in the database which sessions are still active. */
  sessionsMs: 20_000,
  /** Clients only send sign-ins, subscriptions, and pings, all of them small. */
  largestMessage: 10_240,
  /** Messages per connection: the burst, and the rate per second. */
  messageBurst: 30,
  messagesPerSecond: 5,
  /** How much may queue for a slow reader before it is disconnected; it reloads when it reconnects. */
  unread: 256 * 1024,
  /** How long a connection may take to close before it is cut. */
  closeMs: 2_000,
};

export type HubLimits = typeof hubLimits;
