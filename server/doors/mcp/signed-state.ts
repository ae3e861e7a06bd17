import { createRequestStateCodec } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Principal } from "../../auth/principal.ts";
import { derivedKey } from "../../db/encryption.ts";

/**
 * What a client keeps for us between two requests: nothing is stored here, so any process can go on with it. It is
 * signed, expires, and is only accepted from the caller that it was given to. Clients can read it: it holds no secret.
 */
export function signedState<State>(purpose: string, schema: z.ZodType<State>, ttlSeconds: number) {
  type Signed = { by: string; state: State };
  // The key exists once the settings are read, so the codec is made at its first use.
  let made: ReturnType<typeof createRequestStateCodec<Signed>> | undefined;
  const codec = () => {
    made ??= createRequestStateCodec<Signed>({ key: derivedKey(`MCP ${purpose}`), ttlSeconds });
    return made;
  };
  return {
    sign: (principal: Principal, state: State): Promise<string> =>
      codec().mint({ by: nameOf(principal), state }),

    /** null for what is forged, expired, another caller's, or not ours. */
    async read(principal: Principal, text: string): Promise<State | null> {
      const signed = await codec()
        // Only a codec that binds to the SDK's own context needs one.
        .verify(text, undefined as never)
        .catch(() => null);
      if (signed?.by !== nameOf(principal)) return null;
      return schema.safeParse(signed.state).data ?? null;
    },
  };
}

/** A key and the person who made it are different callers. */
const nameOf = ({ kind, userId, keyId }: Principal) => `${kind}:${userId}:${keyId ?? ""}`;
