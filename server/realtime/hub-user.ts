import { z } from "zod";
import { externalHub, hubCredentials, ownCredentials } from "./credentials.ts";
import { isSignedUser, signUser } from "./signature.ts";

/** Who has signed in on a connection, and on the ground of which session. */
export type HubUser = { id: number; sessionId: number };

/** As the protocol has it: the id is a text, and what else is known of the user is `user_info`. */
const userData = z
  .object({
    id: z.string().regex(/^[1-9]\d{0,9}$/),
    user_info: z.object({ sessionId: z.int() }),
  })
  .transform(({ id, user_info }): HubUser => ({ id: Number(id), ...user_info }));

/** What a client signs in with on its socket, and on no other. */
export function signInOf(
  socketId: string,
  { userId, sessionId }: { userId: number; sessionId: number },
): { auth: string; user_data: string } {
  const id = String(userId);
  // A service elsewhere need not know of sessions.
  const data = JSON.stringify(externalHub() ? { id } : { id, user_info: { sessionId } });
  return { auth: signUser(socketId, data, hubCredentials()), user_data: data };
}

/** Who signs in, or null for what was not signed here for this socket. */
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
