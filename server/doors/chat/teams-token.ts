import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { z } from "zod";
import { env } from "../../env.ts";
import { sendOutbound } from "../../outbound/request.ts";

/** The tokens with which the Bot Framework signs in here, by its published rules. */

const issuer = "https://api.botframework.com";
const channel = "msteams";

const metadataSchema = z.object({ jwks_uri: z.url() });
const keysSchema = z.object({
  keys: z.array(
    z.looseObject({ kid: z.string(), kty: z.string(), endorsements: z.array(z.string()).optional() }),
  ),
});
type Keys = z.output<typeof keysSchema>;

/** Keys are read again after a day, and for one that is not among them, but not more often than every five minutes. */
const maxAgeMs = 24 * 3600_000;
const minAgeMs = 5 * 60_000;
let held: { keys: Keys; at: number; from: string } | null = null;

/**
 * Whether a token says that Teams sent an activity of this service address to this bot: signed by a key that the
 * metadata lists and that is endorsed for Teams, for this app, and in time. Throws what the network says.
 */
export async function isFromTeams(token: string, serviceUrl: string): Promise<boolean> {
  const kid = kidOf(token);
  if (!kid) return false;
  const known = (await keys(false)).keys.some((key) => key.kid === kid);
  const { keys: all } = known ? await keys(false) : await keys(true);
  const key = all.find((each) => each.kid === kid);
  if (!key?.endorsements?.includes(channel)) return false;
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [key] } as JSONWebKeySet), {
      ...{ issuer, audience: env().TEAMS_APP_ID ?? "", algorithms: ["RS256"] },
      ...{ clockTolerance: "5 min", requiredClaims: ["exp", "nbf"] },
    });
    return payload.serviceurl === serviceUrl;
  } catch {
    return false;
  }
}

function kidOf(token: string): string | null {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return alg === "RS256" && kid ? kid : null;
  } catch {
    return null;
  }
}

async function keys(isNewNeeded: boolean): Promise<Keys> {
  const from = env().TEAMS_OPENID_URL;
  const age = held?.from === from ? Date.now() - held.at : Number.POSITIVE_INFINITY;
  if (held && age < (isNewNeeded ? minAgeMs : maxAgeMs)) return held.keys;
  const { jwks_uri } = metadataSchema.parse(await read(from));
  held = { keys: keysSchema.parse(await read(jwks_uri)), at: Date.now(), from };
  return held.keys;
}

async function read(address: string): Promise<unknown> {
  const { status, body } = await sendOutbound({
    ...{ method: "GET", url: new URL(address), timeoutMs: 10_000, maxBytes: 1024 * 1024 },
    headers: { accept: "application/json", "user-agent": "Plumbline" },
  });
  if (status !== 200) throw new Error(`The Bot Framework's keys could not be read: HTTP ${status}`);
  return JSON.parse(body.toString());
}

/** For tests, whose keys change. */
export function forgetTeamsKeys(): void {
  held = null;
}
