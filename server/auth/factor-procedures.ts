import { anonymousProcedure, procedureFor } from "../trpc.ts";
import {
  addPasskeyInput,
  addTotpInput,
  changeFactorsInput,
  newPasskeySchema,
  newTotpSchema,
  passkeyChallengeSchema,
  recoveryCodesSchema,
  removePasskeyInput,
  secondFactorsSchema,
} from "./second-factor-schema.ts";
import {
  addPasskey,
  addTotp,
  newPasskey,
  newRecoveryCodes,
  newTotp,
  removePasskey,
  removeTotp,
  showFactors,
} from "./service/own-factors.ts";
import { newPasskeySignIn } from "./service/second-sign-in-step.ts";

const tag = "Second factor";

/** What changes a second factor also ends the caller's other sessions. */
const ending = "Ends your other sessions. Needs `password` unless you have just signed in.";

/** A user's own second factors, and what the sign-in page needs for a passkey. */
export const factorProcedures = {
  secondFactors: procedureFor("own-factors:manage")
    .meta({ rest: { method: "GET", path: "/auth/second-factor", tag, summary: "Your own second factors" } })
    .output(secondFactorsSchema)
    .query(({ ctx }) => showFactors(ctx)),

  /** Nothing is stored yet, so reading it again changes nothing. */
  newTotp: procedureFor("own-factors:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/auth/second-factor/new-totp",
        tag,
        summary: "A new secret for an authenticator app",
        description: "Nothing changes until a code is confirmed.",
      },
    })
    .output(newTotpSchema)
    .query(({ ctx }) => newTotp(ctx)),

  addTotp: procedureFor("own-factors:manage")
    .meta({
      audit: "user",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/auth/second-factor/totp",
        tag,
        summary: "Add an authenticator app, or replace it",
        description: `The first second factor comes with recovery codes. ${ending}`,
        problems: ["rejected", "rate_limited"],
      },
    })
    .input(addTotpInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => addTotp(ctx, input)),

  removeTotp: procedureFor("own-factors:manage")
    .meta({
      audit: "user",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/auth/second-factor/totp/remove",
        tag,
        summary: "Remove your authenticator app",
        description: `${ending} 409 if your role needs a second factor and this is the last one.`,
        status: 204,
        problems: ["not_found", "conflict", "rejected", "rate_limited"],
      },
    })
    .input(changeFactorsInput)
    .mutation(({ ctx, input }) => removeTotp(ctx, input)),

  newPasskey: procedureFor("own-factors:manage")
    .output(newPasskeySchema)
    .query(({ ctx }) => newPasskey(ctx)),

  addPasskey: procedureFor("own-factors:manage")
    .meta({
      audit: "passkey",
      auditAs: "preparedChange",
      auditDetail: (_: unknown, { name }: { name: string }) => name,
    })
    .input(addPasskeyInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => addPasskey(ctx, input)),

  removePasskey: procedureFor("own-factors:manage")
    .meta({
      audit: "passkey",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/auth/second-factor/passkeys/{id}/remove",
        tag,
        summary: "Remove one of your passkeys",
        description: `${ending} 409 if your role needs a second factor and this is the last one.`,
        status: 204,
        problems: ["conflict", "rejected", "rate_limited"],
      },
    })
    .input(removePasskeyInput)
    .mutation(({ ctx, input }) => removePasskey(ctx, input)),

  newRecoveryCodes: procedureFor("own-factors:manage")
    .meta({
      audit: "user",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/auth/second-factor/recovery-codes",
        tag,
        summary: "Replace your recovery codes",
        description: `The former ones no longer work. ${ending}`,
        problems: ["conflict", "rejected", "rate_limited"],
      },
    })
    .input(changeFactorsInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx, input }) => newRecoveryCodes(ctx, input)),

  /** For the sign-in page only. */
  passkeyChallenge: anonymousProcedure.output(passkeyChallengeSchema).query(() => newPasskeySignIn()),
};
