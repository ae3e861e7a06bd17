import { createHash } from "node:crypto";
import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { decrypt } from "../../db/encryption.ts";
import { passkeysPossible } from "../passkeys-possible.ts";
import { recoveryCodeHash } from "../recovery-codes.ts";
import type { SecondFactor } from "../schema.ts";
import { beginFactor, beginPasskey, type Origin, rememberSignIn } from "../sign-in-limit.ts";
import { passkeys, recoveryCodes, totpFactors, users } from "../tables.ts";
import { openTicket, sealTicket } from "../ticket.ts";
import { stepOfCode } from "../totp.ts";
import { passkeyRequest, type StoredPasskey, verifyAssertion } from "../web-authn.ts";
import { factorsOf, passkeysOf, totpSecretOf } from "./factors-of-user.ts";
import { useTicket } from "./use-ticket.ts";

type User = typeof users.$inferSelect;

/** What the sign-in page needs after a right password. */
export type SecondStep = {
  ticket: string;
  methods: SecondFactor[];
  /** For the browser, if the user has passkeys. */
  passkey: object | null;
};

type Begun = { userId: number; password: string; challenge: string | null };

/** What someone presents after the password. */
export type Proof = { code: string } | { recoveryCode: string } | { passkey: object };

/** What remains to be done after a right password; null without a second factor. */
export async function secondStepOf(user: User): Promise<SecondStep | null> {
  const methods = await factorsOf(db, user.id);
  if (methods.length === 0) return null;
  const passkey =
    methods.includes("Passkey") && passkeysPossible()
      ? await passkeyRequest(await passkeysOf(db, user.id))
      : null;
  const begun: Begun = {
    userId: user.id,
    password: stampOf(user),
    challenge: passkey?.challenge ?? null,
  };
  return { ticket: sealTicket("second factor", begun), methods, passkey };
}

/** Changes with the password, so that a ticket does not survive it. */
const stampOf = ({ passwordHash }: User) =>
  createHash("sha256")
    .update(passwordHash ?? "")
    .digest("base64url");

export type SecondStepResult = {
  /** Whose sign-in it is, if the ticket is valid. */
  user: User | null;
  /** What they presented; null if it was wrong. */
  factor: SecondFactor | null;
};

/**
 * Completes a sign-in that began with a password. Wrong codes count like wrong passwords, and apart from them: someone who
 * knows the password cannot reset the count by entering it again. Throws rate_limited after too many.
 */
export async function finishSignIn(ticket: string, proof: Proof, origin: Origin): Promise<SecondStepResult> {
  const begun = openTicket<Begun>("second factor", ticket);
  const [user] = begun ? await db.select().from(users).where(eq(users.id, begun.userId)) : [];
  if (!begun || !user?.enabled || stampOf(user) !== begun.password) return { user: null, factor: null };
  const attempt = await beginFactor(user.email, origin);
  const factor = (await isRight(user.id, proof, begun)) && (await useTicket(ticket));
  if (!factor) return { user, factor: null };
  await attempt.succeed();
  await rememberSignIn(user.email, origin);
  await markSignIn(user.id);
  return { user, factor: methodOf(proof) };
}

const methodOf = (proof: Proof): SecondFactor =>
  "code" in proof ? "Totp" : "passkey" in proof ? "Passkey" : "RecoveryCode";

async function isRight(userId: number, proof: Proof, { challenge }: Begun): Promise<boolean> {
  if ("code" in proof) return useCode(userId, proof.code);
  if ("recoveryCode" in proof) return useRecoveryCode(userId, proof.recoveryCode);
  const [passkey] = await findPasskey(proof.passkey);
  if (!passkey || passkey.userId !== userId || challenge === null) return false;
  return usePasskey(passkey, proof.passkey, { challenge, isAlone: false });
}

/** Accepts each code once, and none older than the last accepted one. */
async function useCode(userId: number, code: string): Promise<boolean> {
  const [totp] = await db.select().from(totpFactors).where(eq(totpFactors.userId, userId));
  const step = totp && stepOfCode(code, decrypt(totp.secret, totpSecretOf(userId)), Date.now());
  if (step === undefined || step === null) return false;
  // Of two requests with one code, the second finds the step taken.
  const taken = await db
    .update(totpFactors)
    .set({ lastStep: step })
    .where(and(eq(totpFactors.userId, userId), lt(totpFactors.lastStep, step)))
    .returning({ userId: totpFactors.userId });
  return taken.length === 1;
}

async function useRecoveryCode(userId: number, code: string): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.hash, recoveryCodeHash(code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  return used.length === 1;
}

const findPasskey = (response: object) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, String((response as { id?: unknown }).id ?? "").slice(0, 2000)));

async function usePasskey(
  passkey: StoredPasskey,
  response: object,
  expected: { challenge: string; isAlone: boolean },
): Promise<boolean> {
  const counter = await verifyAssertion(response, passkey, expected);
  if (counter === null) return false;
  // Of two requests that were verified against the same counter, the second finds it advanced.
  const advanced = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
    .returning({ id: passkeys.id });
  return advanced.length === 1;
}

/** Begins a sign-in with a passkey alone. Whose it is turns out when it signs. */
export async function newPasskeySignIn() {
  const options = await passkeyRequest(null);
  const ticket = sealTicket("passkey sign-in", { challenge: options.challenge });
  return { options: options as unknown as Record<string, unknown>, ticket };
}

/** The user whose passkey signed the ticket's challenge, after verifying them by PIN or fingerprint; otherwise null. */
export async function signInByPasskey(
  ticket: string,
  response: object,
  origin: Origin,
): Promise<User | null> {
  const attempt = await beginPasskey(origin);
  const begun = openTicket<{ challenge: string }>("passkey sign-in", ticket);
  const [passkey] = begun ? await findPasskey(response) : [];
  if (!begun || !passkey) return null;
  const [user] = await db.select().from(users).where(eq(users.id, passkey.userId));
  // Without a password, they sign in with a provider, which decides whether they may.
  if (!user?.enabled || user.passwordHash === null) return null;
  const expected = { challenge: begun.challenge, isAlone: true };
  if (!(await usePasskey(passkey, response, expected)) || !(await useTicket(ticket))) return null;
  await attempt.withdraw();
  await rememberSignIn(user.email, origin);
  await markSignIn(user.id);
  return user;
}

const markSignIn = (userId: number) =>
  db.update(users).set({ lastSignInAt: sql`now()` }).where(eq(users.id, userId));
