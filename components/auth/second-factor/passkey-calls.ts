import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** Loaded with the first passkey that is used or made. */
const library = () => import("@simplewebauthn/browser");

/** Asks the browser to sign with a passkey: what it answers, as text, or why not. */
export async function askForPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<{ passkey: string } | { failure: string }> {
  try {
    const { startAuthentication } = await library();
    return { passkey: JSON.stringify(await startAuthentication({ optionsJSON: options })) };
  } catch (error) {
    return { failure: wordsFor(error) };
  }
}

/** Asks the browser to make a passkey: what it answers, or why not. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<{ response: Record<string, unknown> } | { failure: string }> {
  try {
    const { startRegistration } = await library();
    return { response: { ...(await startRegistration({ optionsJSON: options })) } };
  } catch (error) {
    return { failure: wordsFor(error) };
  }
}

/** Browsers say little, so that pages cannot find out which passkeys someone has. */
function wordsFor(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device already has a passkey for your account.";
  if (name === "NotAllowedError" || name === "AbortError")
    return "No passkey was used: it was canceled, took too long, or there is none on this device.";
  if (name === "SecurityError")
    return "Passkeys do not work at this address. Open the service at its public address.";
  return "This browser cannot use passkeys.";
}
