/** The caller: a user by session, key, or token; the service itself; or someone who has not signed in. */
export const principalKinds = ["User", "ApiKey", "Jwt", "System", "Anonymous"] as const;
