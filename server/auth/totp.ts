import { Secret, TOTP } from "otpauth";

/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, which every app supports. */
const period = 30;

const totpOf = (secret: string, label = "") =>
  new TOTP({ issuer: "Plumbline", label, secret: Secret.fromBase32(secret), period });

/** A new secret of 160 bits in base32, as RFC 4226 recommends. */
export const makeTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** What apps read from a QR code. */
export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString();

/**
 * The time step that a code belongs to, or null. A clock may be off by one step in either direction. Spaces are ignored,
 * since apps show the code in two groups.
 */
export function stepOfCode(code: string, secret: string, now: number): number | null {
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret).validate({ token, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / 1000 / period) + delta;
}
