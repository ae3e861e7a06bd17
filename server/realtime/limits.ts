/** What a hub bears. Times are in milliseconds, sizes in bytes. Tests shorten them. */
export const hubLimits = {
  /** Of all connections of this process. One costs about 30 kB. */
  connections: 20_000,
  /** Of one user: a person has some tabs on some devices. */
  connectionsOfUser: 50,
  /** Of one address before they have signed in; afterwards they count for their user. */
  strangersOfCaller: 300,
  /** How long anybody may stay without having signed in. */
  signInMs: 30_000,
  /** A client that has been silent for so long sends a ping, and is sent one a little later. */
  activityMs: 30_000,
  /** How long the answer to a ping may take. */
  pongMs: 15_000,
  /** How often silence, strangers and ended sessions are looked for. */
  sweepMs: 5_000,
  /** How often it is read whose sessions still hold. */
  sessionsMs: 20_000,
  /** A client sends sign-ins, subscriptions and pings, and nothing that is large. */
  largestMessage: 10_240,
  /** Messages of one connection at once, and how many more each second. */
  messageBurst: 30,
  messagesPerSecond: 5,
  /** What may wait for a slow reader before it is let go; it reads what is true when it comes back. */
  unread: 256 * 1024,
  /** How long a connection may take to close before it is cut. */
  closeMs: 2_000,
};

export type HubLimits = typeof hubLimits;
