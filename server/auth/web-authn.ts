import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { publicUrl } from "../env.ts";

/** Passkeys belong to the host of the public URL: a browser offers them nowhere else. */
const relyingParty = () => {
  const { origin, hostname } = new URL(publicUrl());
  return { origin, id: hostname };
};

/** Loaded with the first passkey, not at startup. */
const library = () => import("@simplewebauthn/server");

export type StoredPasskey = {
  id: number;
  userId: number;
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
};

/** What the browser needs to make a passkey. */
export async function passkeyCreation(
  user: { id: number; email: string; name: string },
  existing: readonly StoredPasskey[],
) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Plumbline",
    rpID: relyingParty().id,
    userID: new TextEncoder().encode(`user-${user.id}`),
    userName: user.email,
    userDisplayName: user.name,
    // A sign-in by passkey alone needs both; a plain security key still works after the password.
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    excludeCredentials: existing.map(credentialOf),
  });
}

/** The new credential, or null if the response does not answer this challenge here. */
export async function verifyCreation(response: object, expectedChallenge: string) {
  const { origin, id } = relyingParty();
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    });
    return verified ? registrationInfo.credential : null;
  } catch {
    // The library throws on anything that is malformed, signed for another site, or answers another challenge.
    return null;
  }
}

/** What the browser needs to sign in: with one of these passkeys or, without any named, with one that it knows itself. */
export async function passkeyRequest(allowed: readonly StoredPasskey[] | null) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: relyingParty().id,
    userVerification: allowed ? "preferred" : "required",
    ...(allowed && { allowCredentials: allowed.map(credentialOf) }),
  });
}

/**
 * The passkey's new signature counter, or null if the response is not signed by it for this challenge here. Without a
 * password, the authenticator must have verified the person, by PIN or fingerprint.
 */
export async function verifyAssertion(
  response: object,
  passkey: StoredPasskey,
  { challenge, isAlone }: { challenge: string; isAlone: boolean },
): Promise<number | null> {
  const { origin, id } = relyingParty();
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: isAlone,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // As above; also a counter that does not advance, as with a copied authenticator.
    return null;
  }
}

const credentialOf = ({ credentialId, transports }: StoredPasskey) => ({ id: credentialId, transports });
