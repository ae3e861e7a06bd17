import { createHash } from "node:crypto";

export type Token = { token: string; until: number };

/** A token that ends within five minutes is replaced. */
const marginMs = 300_000;
/** By a hash of all that it was given for. Oldest first; more than any service has of sources. */
const held = new Map<string, Promise<Token>>();
const mostHeld = 500;

/** The token for these parts: one that was given already, or what `ask` gives. Connections that are opened at once ask once. */
export async function heldToken(parts: readonly unknown[], ask: () => Promise<Token>): Promise<string> {
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("base64");
  const asking = held.get(key);
  const known = asking && (await asking.catch(() => null));
  if (known && known.until - marginMs > Date.now()) return known.token;
  const asked = ask();
  held.delete(key);
  held.set(key, asked);
  for (const oldest of held.keys()) if (held.size > mostHeld) held.delete(oldest);
  try {
    return (await asked).token;
  } catch (error) {
    if (held.get(key) === asked) held.delete(key);
    throw error;
  }
}

/** A token that can be sent: one word of ASCII. */
export const isToken = (text: unknown): text is string =>
  typeof text === "string" && /^[\x21-\x7e]+$/.test(text);
