import { and, eq, isNull, ne } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { env } from "../../env.ts";
import { invalidRequest, Problem, violatedConstraint } from "../../errors.ts";
import { passkeysPossible } from "../passkeys-possible.ts";
import type { SignedIn } from "../principal.ts";
import { recorded } from "../recorded.ts";
import { makeRecoveryCodes, recoveryCodeHash } from "../recovery-codes.ts";
import { passkeys, recoveryCodes, sessions, totpFactors } from "../tables.ts";
import { openTicket, sealTicket } from "../ticket.ts";
import { makeTotpSecret, stepOfCode, totpUri } from "../totp.ts";
import { passkeyCreation, verifyCreation } from "../web-authn.ts";
import { endSessions } from "./end-sessions.ts";
import { factorsOf, passkeysOf, removeFactors, totpSecretOf } from "./factors-of-user.ts";
import { getOwnAccount, hasJustSignedIn, requireOwner } from "./own-password.ts";
import { rolesWithFactor } from "./sign-in-policy.ts";
import { useTicket } from "./use-ticket.ts";

/** The caller's second factors. */
export async function showFactors(ctx: SignedIn) {
  const user = await getOwnAccount(ctx);
  const [[totp], keys, recoveryCodesLeft, required, isRecent] = await Promise.all([
    db.select({ createdAt: totpFactors.createdAt }).from(totpFactors).where(eq(totpFactors.userId, user.id)),
    passkeysOf(db, user.id),
    db.$count(recoveryCodes, and(eq(recoveryCodes.userId, user.id), isNull(recoveryCodes.usedAt))),
    rolesWithFactor(db),
    hasJustSignedIn(ctx),
  ]);
  return {
    totp: totp ?? null,
    passkeys: keys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })),
    recoveryCodesLeft,
    isRequired: required.includes(ctx.principal.role),
    hasPassword: signsInByPassword(user),
    needsPassword: !isRecent,
    passkeysPossible: passkeysPossible(),
  };
}

const signsInByPassword = ({ passwordHash }: { passwordHash: string | null }) =>
  passwordHash !== null && env().PASSWORD_SIGN_IN;

/** Begins to set up an authenticator app; nothing is stored until a code of it is confirmed. */
export async function newTotp(ctx: SignedIn) {
  const user = await getOwnAccount(ctx);
  const secret = makeTotpSecret();
  const ticket = sealTicket("new authenticator app", { ...holderOf(ctx), secret });
  return { secret, uri: totpUri(secret, user.email), ticket };
}

/**
 * Adds an authenticator app, or replaces it. Throws invalid for a wrong code, an expired ticket, or a missing or wrong
 * password, and rejected for someone without a password.
 */
export async function addTotp(
  ctx: SignedIn,
  { ticket, code, password }: { ticket: string; code: string; password?: string | undefined },
) {
  const user = await getChangeable(ctx, password);
  const begun = openTicket<Holder & { secret: string }>("new authenticator app", ticket);
  if (!begun || !isHeldBy(ctx, begun)) throw tooLate();
  const lastStep = stepOfCode(code, begun.secret, Date.now());
  if (lastStep === null) throw invalid("code", "is incorrect, or the clock of the device is wrong");
  const secret = encrypt(begun.secret, totpSecretOf(user.id));
  return recorded(ctx, async () => {
    if (!(await useTicket(ticket))) throw tooLate();
    const isFirst = (await factorsOf(db, user.id)).length === 0;
    const set = { secret, lastStep, createdAt: new Date() };
    await db
      .insert(totpFactors)
      .values({ userId: user.id, ...set })
      .onConflictDoUpdate({ target: totpFactors.userId, set });
    return endOthers(ctx, isFirst);
  });
}

/** Begins to add a passkey; nothing is stored until the browser has made it. Throws rejected where none is possible. */
export async function newPasskey(ctx: SignedIn) {
  const user = await getOwnAccount(ctx);
  if (!passkeysPossible())
    throw new Problem("rejected", "Passkeys need https with a host name as PUBLIC_URL, or localhost");
  const options = await passkeyCreation(user, await passkeysOf(db, user.id));
  const ticket = sealTicket("new passkey", { ...holderOf(ctx), challenge: options.challenge });
  return { options: options as unknown as Record<string, unknown>, ticket };
}

/**
 * Adds a passkey. Throws invalid if the browser's response does not answer the ticket's challenge, or for a missing or
 * wrong password, rejected for someone without a password, and conflict if it was added before.
 */
export async function addPasskey(
  ctx: SignedIn,
  write: { ticket: string; name: string; response: object; password?: string | undefined },
) {
  const user = await getChangeable(ctx, write.password);
  const begun = openTicket<Holder & { challenge: string }>("new passkey", write.ticket);
  if (!begun || !isHeldBy(ctx, begun)) throw tooLate();
  const made = await verifyCreation(write.response, begun.challenge);
  if (!made) throw invalid("response", "could not be verified");
  return recorded(ctx, async () => {
    if (!(await useTicket(write.ticket))) throw tooLate();
    const isFirst = (await factorsOf(db, user.id)).length === 0;
    try {
      await db.insert(passkeys).values({
        ...{ userId: user.id, name: write.name, credentialId: made.id },
        ...{ publicKey: Buffer.from(made.publicKey), counter: made.counter },
        transports: made.transports ?? [],
      });
    } catch (error) {
      if (violatedConstraint(error) === "passkeys_credential_idx")
        throw new Problem("conflict", "This passkey has already been added");
      throw error;
    }
    return endOthers(ctx, isFirst);
  });
}

/** Throws not_found without one, and conflict if the caller's role needs it. */
export async function removeTotp(ctx: SignedIn, { password }: { password?: string | undefined }) {
  const user = await getChangeable(ctx, password);
  return recorded(ctx, async () => {
    const gone = await db
      .delete(totpFactors)
      .where(eq(totpFactors.userId, user.id))
      .returning({ userId: totpFactors.userId });
    if (gone.length === 0) throw new Problem("not_found", "There is no authenticator app");
    return afterRemoval(ctx);
  });
}

/** Throws not_found for one that is not the caller's, and conflict if the caller's role needs it. */
export async function removePasskey(
  ctx: SignedIn,
  { id, password }: { id: number; password?: string | undefined },
) {
  const user = await getChangeable(ctx, password);
  return recorded(ctx, async () => {
    const [gone] = await db
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, user.id)))
      .returning({ name: passkeys.name });
    if (!gone) throw new Problem("not_found", "Passkey not found");
    await afterRemoval(ctx);
    return gone;
  });
}

/** Replaces the recovery codes, used or not. Throws conflict without a second factor. */
export async function newRecoveryCodes(ctx: SignedIn, { password }: { password?: string | undefined }) {
  const user = await getChangeable(ctx, password);
  return recorded(ctx, async () => {
    if ((await factorsOf(db, user.id)).length === 0)
      throw new Problem("conflict", "Set up an authenticator app or a passkey first");
    return endOthers(ctx, true);
  });
}

/** Whoever begins to add a factor must complete it, in the same session. */
type Holder = { userId: number; sessionId: number };

const holderOf = ({ principal: { userId, sessionId = 0 } }: SignedIn): Holder => ({ userId, sessionId });

function isHeldBy(ctx: SignedIn, begun: Holder): boolean {
  const { userId, sessionId } = holderOf(ctx);
  return begun.userId === userId && begun.sessionId === sessionId;
}

/** The account, if the caller may change its factors now. */
async function getChangeable(ctx: SignedIn, password: string | undefined) {
  const user = await getOwnAccount(ctx);
  if (!signsInByPassword(user))
    throw new Problem(
      "rejected",
      "You sign in with your organization's provider, which is where you set up a second factor",
    );
  await requireOwner(ctx, user, password);
  return user;
}

/** Without any factor, recovery codes are of no use, and would be a surprise later. */
async function afterRemoval(ctx: SignedIn): Promise<void> {
  const { userId, role } = ctx.principal;
  if ((await factorsOf(db, userId)).length === 0) {
    if ((await rolesWithFactor(db)).includes(role))
      throw new Problem("conflict", "Your role needs a second factor: add another one first");
    await removeFactors(db, userId);
  }
  await endOthers(ctx, false);
}

/** Ends the caller's other sessions, as they began without what has changed. */
async function endOthers({ principal }: SignedIn, makesCodes: boolean) {
  const { userId, sessionId = 0 } = principal;
  await endSessions(db, and(eq(sessions.userId, userId), ne(sessions.id, sessionId)), "FactorsChanged");
  if (!makesCodes) return { recoveryCodes: null };
  const codes = makeRecoveryCodes();
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await db.insert(recoveryCodes).values(codes.map((code) => ({ userId, hash: recoveryCodeHash(code) })));
  return { recoveryCodes: codes };
}

const invalid = (path: string, message: string) => invalidRequest([{ path, message }]);

const tooLate = () => invalid("ticket", "is not valid, already used, or older than 10 minutes: begin again");
