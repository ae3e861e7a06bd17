import { z } from "zod";
import { email, identifier, momentOut, name, timezone } from "../db/schema-parts.ts";
import { roles, scopes } from "./kinds.ts";

export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

export const scope = z.enum(scopes);
export type Scope = z.infer<typeof scope>;

/** Service accounts own API keys, and nobody signs in as one. */
export const userKinds = ["Person", "ServiceAccount"] as const;
export const userKind = z.enum(userKinds);
export type UserKind = z.infer<typeof userKind>;

/** The sign-in method of a session. */
export const signInMethods = ["Password", "Oidc", "Passkey"] as const;

/** What someone can present besides the password. */
export const secondFactors = ["Totp", "Passkey", "RecoveryCode"] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** Chat services whose accounts can be linked to users. */
export const chatServices = ["Slack", "Teams"] as const;
export type ChatService = (typeof chatServices)[number];

/** What ended a session early. `Replaced`: the same browser signed in again. */
export const sessionEnds = [
  "SignedOut",
  "Revoked",
  "RevokedByAdmin",
  "PasswordChanged",
  "UserDisabled",
  "Replaced",
  "TooMany",
  "FactorsChanged",
  "FactorsReset",
] as const;
export type SessionEnd = (typeof sessionEnds)[number];

export const password = z.string().min(10, "must have at least 10 characters").max(200);

/** The token that setup from another machine requires; printed at startup. */
export const setupInput = z.strictObject({ name, email, password, token: z.string().max(200).optional() });

export const setupStatusSchema = z.object({ needed: z.boolean() }).meta({ id: "SetupStatus" });

/** How people can sign in. */
export const signInOptionsSchema = z.object({
  oidc: z.object({ name: z.string() }).nullable(),
  password: z.boolean(),
  passkeys: z.boolean(),
});

/** What decides access by groups: at each sign-in, or when they are pushed here. */
export const accessManagers = ["Oidc", "Scim"] as const;
export type AccessManager = (typeof accessManagers)[number];

/** A user limited to projects has a role in each, and none elsewhere. */
export const projectRole = z.strictObject({ projectId: identifier, role }).meta({ id: "ProjectRole" });
export type ProjectRole = z.infer<typeof projectRole>;

const projectRoles = z
  .array(projectRole)
  .max(1000)
  .refine(
    (list) => new Set(list.map(({ projectId }) => projectId)).size === list.length,
    "names a project twice",
  );

export const userSchema = z
  .object({
    id: identifier,
    name: z.string(),
    email: z.string(),
    hasSecondFactor: z.boolean(),
    role: role.meta({ description: "In all projects; the highest one if the user is limited to projects" }),
    projectRoles: z
      .array(projectRole)
      .nullable()
      .meta({ description: "The only projects of a user who is limited to some; null for all projects" }),
    managedBy: z.enum(accessManagers).nullable().meta({
      description: "What decides the user's role and projects by their groups; null if Admins do",
    }),
    enabled: z.boolean(),
    revision: z
      .int()
      .min(1)
      .meta({ description: "Incremented by every edit of the name, the role, and `enabled`" }),
    createdAt: momentOut,
    lastSignInAt: momentOut.nullable(),
  })
  .meta({ id: "User" });
export type User = z.output<typeof userSchema>;

/** Either a role in all projects, or a role in each of some. */
export const accessWrite = {
  role: role.optional().meta({ description: "The role in all projects; left out with `projectRoles`" }),
  projectRoles: projectRoles.nullish().meta({
    description:
      "Limits the user to these projects; an empty list to none. Null means all projects. Required, even if it is null, " +
      "to change a user who is limited",
  }),
};

export function hasOneAccess(
  user: { role?: Role | undefined; projectRoles?: ProjectRole[] | null | undefined },
  context: z.RefinementCtx,
) {
  const isLimited = Array.isArray(user.projectRoles);
  const message = isLimited ? "must be left out with projectRoles" : "is required without projectRoles";
  if (isLimited === (user.role !== undefined)) context.addIssue({ code: "custom", path: ["role"], message });
}

export const createUserInput = z
  .strictObject({
    name,
    email,
    password: password.optional().meta({ description: "Required, unless password sign-in is off" }),
    ...accessWrite,
  })
  .superRefine(hasOneAccess);

/** Replaces the user; an omitted `enabled` means true. The email address cannot change. */
export const updateUserInput = z
  .strictObject({
    id: identifier,
    name,
    ...accessWrite,
    enabled: z.boolean().default(true),
    baseRevision: z.int().min(1).optional().meta({
      description: "The `revision` that the edit is based on. If it is no longer current, returns 409.",
    }),
  })
  .superRefine(hasOneAccess);

export const userReference = z.object({ id: identifier, name: z.string() }).meta({ id: "UserReference" });

export const meSchema = z
  .object({
    kind: z.enum(["User", "ApiKey", "Jwt"]),
    user: userSchema,
    role,
    scopes: z.array(scope).nullable(),
    projectIds: z.array(identifier).nullable(),
    projectRoles: z.array(projectRole).nullable(),
    timeZone: z
      .string()
      .nullable()
      .meta({ description: "The user's IANA time zone; null until they sign in with a browser or set it" }),
    session: z
      .object({
        id: identifier,
        signedInBy: z.enum(signInMethods),
        secondFactor: z.enum(secondFactors).nullable(),
      })
      .nullable()
      .meta({ description: "The session of the request's cookie; null for keys and JWTs" }),
  })
  .meta({ id: "Me" });

/** Replaces what users change about themselves. */
export const updateMeInput = z.strictObject({ timeZone: timezone });

export const sessionSchema = z
  .object({
    id: identifier,
    signedInBy: z.enum(signInMethods),
    secondFactor: z
      .enum(secondFactors)
      .nullable()
      .meta({ description: "What was presented besides the password" }),
    createdAt: momentOut,
    lastUsedAt: momentOut.meta({ description: "To the minute" }),
    expiresAt: momentOut.meta({ description: "When it ends if it is not used again" }),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    isCurrent: z.boolean().meta({ description: "Whether this request was made in it" }),
  })
  .meta({ id: "Session" });
export type Session = z.output<typeof sessionSchema>;

export const sessionsEndedSchema = z.object({ ended: z.int() }).meta({ id: "SessionsEnded" });

export const sessionIdInput = z.strictObject({ id: identifier });

export const signOutEverywhereInput = z.strictObject({
  keepCurrent: z.boolean().default(true).meta({ description: "Whether the caller's session is kept" }),
});

export const userIdInput = z.strictObject({ id: identifier });

export const userSessionInput = z.strictObject({ id: identifier, sessionId: identifier });

export const changePasswordInput = z.strictObject({ current: z.string().max(200), next: password });

/** An account at a chat service, in its own words. */
export const chatIdentitySchema = z.object({
  service: z.enum(chatServices),
  teamId: z.string(),
  accountId: z.string(),
  name: z.string(),
});
export type ChatIdentity = z.output<typeof chatIdentitySchema>;

export const chatAccountSchema = chatIdentitySchema
  .omit({ accountId: true })
  .extend({ id: identifier, createdAt: momentOut, lastUsedAt: momentOut.nullable() });

/** What the link in a chat message carries. */
export const chatLinkInput = z.strictObject({ token: z.string().max(2000) });

/** The account that a link is for. */
export const chatLinkSchema = chatIdentitySchema.extend({
  linkedTo: z.enum(["Nobody", "You", "SomeoneElse"]),
});

/** The roles for which a password alone is not enough. */
export const signInPolicySchema = z
  .object({
    secondFactorRoles: z.array(role).meta({ description: "Roles that need a second factor" }),
    lacking: z
      .array(userReference)
      .meta({ description: "Enabled users with a password and one of these roles who have not set one up" }),
  })
  .meta({ id: "SignInPolicy" });

export const updateSignInPolicyInput = z.strictObject({ secondFactorRoles: z.array(role).max(10) });
