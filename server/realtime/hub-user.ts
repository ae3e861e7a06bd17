import { z } from "zod";
import { externalHub, hubCredentials, ownCredentials } from "./credentials.ts";
import { isSignedUser, signUser } from "./signature.ts";

/** The user signed in on a connection, and the session behind it. */
export type HubUser = { id: number; sessionId: number };

/** The protocol's format: the id is text, and other data is in `user_info`. */
const userData = z
  .object({
    id: z.string().regex(/^[1-9]\d{0,9}$/),
    user_info: z.object({ sessionId: z.int() }),
  })
  .transform(({ id, user_info }): HubUser => ({ id: Number(id), ...user_info }));

/** What a client signs in with on its socket; valid for no other socket. */
export function signInOf(
  socketId: string,
  { userId, sessionId }: { userId: number; sessionId: number },
): { auth: string; user_data: string } {
  const id = String(userId);
  // An external service does not need to know of sessions.
  const data = JSON.stringify(externalHub() ? { id } : { id, user_info: { sessionId } });
  return { auth: signUser(socketId, data, hubCredentials()), user_data: data };
}

/** The user who signs in, or null if it was not signed here for this socket. */
export function readSignIn(
  socketId: string,
  { auth, user_data }: { auth: string; user_data: string },
): HubUser | null {
  if (!isSignedUser({ socketId, userData: user_data, auth }, ownCredentials())) return null;
  try {
    return userData.parse(JSON.parse(user_data));
  } catch {
    return null;
  }
}
