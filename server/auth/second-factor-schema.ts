import { z } from "zod";
import { identifier, momentOut, name } from "../db/schema-parts.ts";

/** A user's second factors, as they see them: never a secret. */
export const secondFactorsSchema = z
  .object({
    totp: z.object({ createdAt: momentOut }).nullable().meta({ description: "The authenticator app" }),
    passkeys: z.array(
      z.object({
        id: identifier,
        name: z.string(),
        createdAt: momentOut,
        lastUsedAt: momentOut.nullable(),
      }),
    ),
    recoveryCodesLeft: z.int(),
    isRequired: z.boolean().meta({ description: "Whether the user's role needs a second factor" }),
    hasPassword: z
      .boolean()
      .meta({ description: "Whether the user signs in with a password, and so can have a second factor" }),
    needsPassword: z
      .boolean()
      .meta({ description: "Whether a change needs `password`: the sign-in was too long ago" }),
    passkeysPossible: z.boolean().meta({
      description: "Whether the service's address allows passkeys: https with a name, or localhost",
    }),
  })
  .meta({ id: "SecondFactors" });

const ticket = z
  .string()
  .max(4000)
  .meta({ description: "From the call that began it; valid for 10 minutes" });

const ownPassword = z
  .string()
  .max(200)
  .optional()
  .meta({ description: "The current password; required when the sign-in is more than 10 minutes old" });

export const newTotpSchema = z
  .object({
    secret: z.string().meta({ description: "In base32, to type into the app" }),
    uri: z.string().meta({ description: "The otpauth URI, to show as a QR code" }),
    ticket: z.string(),
  })
  .meta({ id: "NewTotp" });

/** WebAuthn's own structures, passed between the browser and the library that verifies them. */
export const webAuthnJson = z.record(z.string(), z.unknown());

export const newPasskeySchema = z
  .object({
    options: webAuthnJson.meta({ description: "PublicKeyCredentialCreationOptionsJSON, for the browser" }),
    ticket: z.string(),
  })
  .meta({ id: "NewPasskey" });

export const addTotpInput = z.strictObject({ ticket, code: z.string().max(20), password: ownPassword });

export const addPasskeyInput = z.strictObject({
  ticket,
  name,
  response: webAuthnJson.meta({ description: "RegistrationResponseJSON, from the browser" }),
  password: ownPassword,
});

export const changeFactorsInput = z.strictObject({ password: ownPassword });

export const removePasskeyInput = z.strictObject({ id: identifier, password: ownPassword });

/** New codes, shown once: with the first factor, and on request. */
export const recoveryCodesSchema = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .nullable()
      .meta({ description: "Shown only once; null if the existing ones remain" }),
  })
  .meta({ id: "RecoveryCodes" });

/** For the sign-in page: what a passkey signs. */
export const passkeyChallengeSchema = z.object({ options: webAuthnJson, ticket: z.string() });
