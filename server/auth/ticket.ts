import { decrypt, encrypt } from "../db/encryption.ts";

/**
 * What a caller keeps between two calls that belong together, such as the password and the second factor: encrypted, so
 * that it can be neither read nor changed, for one purpose and 10 minutes.
 */
export type TicketPurpose =
  | "second factor"
  | "passkey sign-in"
  | "new passkey"
  | "new authenticator app"
  | "chat account";

const lifetimeMs = 10 * 60 * 1000;

export function sealTicket(purpose: TicketPurpose, content: object): string {
  const sealed = { until: Date.now() + lifetimeMs, content };
  return encrypt(JSON.stringify(sealed), boundTo(purpose)).toString("base64url");
}

/** null if it is not one of ours, for another purpose, or too old. */
export function openTicket<Content extends object>(purpose: TicketPurpose, ticket: string): Content | null {
  try {
    const opened = JSON.parse(decrypt(Buffer.from(ticket, "base64url"), boundTo(purpose)));
    return opened.until > Date.now() ? opened.content : null;
  } catch {
    // Whatever was sent is no ticket; why does not matter to anyone.
    return null;
  }
}

const boundTo = (purpose: TicketPurpose) => `ticket:${purpose}`;
