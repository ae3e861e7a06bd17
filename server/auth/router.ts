import { listOf } from "../db/schema-parts.ts";
import { plural } from "../text.ts";
import { anonymousProcedure, procedureFor, router } from "../trpc.ts";
import { accessDetail } from "./access-detail.ts";
import { chatProcedures } from "./chat-procedures.ts";
import { factorProcedures } from "./factor-procedures.ts";
import { signInOptions } from "./oidc.ts";
import {
  changePasswordInput,
  createUserInput,
  meSchema,
  sessionIdInput,
  sessionSchema,
  sessionsEndedSchema,
  setupInput,
  setupStatusSchema,
  signInOptionsSchema,
  signInPolicySchema,
  signOutEverywhereInput,
  updateMeInput,
  updateSignInPolicyInput,
  updateUserInput,
  userIdInput,
  userReference,
  userSchema,
  userSessionInput,
} from "./schema.ts";
import { changePassword } from "./service/change-password.ts";
import { resetFactors } from "./service/reset-factors.ts";
import { listSessions, revokeSession, revokeSessions } from "./service/sessions.ts";
import { setUpFirst, setupStatus } from "./service/set-up.ts";
import { me } from "./service/sign-in.ts";
import { setSignInPolicy, showSignInPolicy } from "./service/sign-in-policy.ts";
import { updateMe } from "./service/update-me.ts";
import { createUser, listUsers, updateUser } from "./service/users.ts";

const tag = "Session";

const sessionsDetail = ({ ended }: { ended: number }) => plural(ended, "session");

export const sessionRouter = router({
  ...factorProcedures,
  ...chatProcedures,

  me: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/auth/me", tag, summary: "The caller and their permissions" },
    })
    .output(meSchema)
    .query(({ ctx }) => me(ctx)),

  updateMe: procedureFor("own-profile:change")
    .meta({
      audit: "user",
      auditDetail: (_: unknown, { timeZone }: { timeZone: string }) => `time zone ${timeZone}`,
      rest: {
        method: "PUT",
        path: "/auth/me",
        tag,
        summary: "Change your own profile",
        description: "All times in the console are shown in this time zone, and quiet hours are in it.",
      },
    })
    .input(updateMeInput)
    .output(meSchema)
    .mutation(({ ctx, input }) => updateMe(ctx, input)),

  changePassword: procedureFor("password:change")
    .meta({
      audit: "user",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/auth/change-password",
        tag,
        summary: "Change your own password",
        description: "Ends all sessions of the user.",
        status: 204,
      },
    })
    .input(changePasswordInput)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),

  sessions: procedureFor("own-sessions:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/auth/sessions",
        tag,
        summary: "List your own sessions",
        description: "Active sessions, most recently used first.",
      },
    })
    .output(listOf(sessionSchema))
    .query(({ ctx }) => listSessions(ctx, ctx.principal.userId)),

  revoke: procedureFor("own-sessions:manage")
    .meta({
      audit: "session",
      rest: {
        method: "POST",
        path: "/auth/sessions/{id}/revoke",
        tag,
        summary: "End one of your own sessions",
        description: "Takes effect on its next request, in every process.",
        status: 204,
      },
    })
    .input(sessionIdInput)
    .mutation(({ ctx, input }) => revokeSession(ctx, { userId: ctx.principal.userId, sessionId: input.id })),

  signOutEverywhere: procedureFor("own-sessions:manage")
    .meta({
      audit: "user",
      auditDetail: sessionsDetail,
      rest: {
        method: "POST",
        path: "/auth/sign-out-everywhere",
        tag,
        summary: "End all of your other sessions, or all of them",
        description: "API keys are not sessions and keep working.",
      },
    })
    .input(signOutEverywhereInput)
    .output(sessionsEndedSchema)
    .mutation(({ ctx, input }) =>
      revokeSessions(ctx, { userId: ctx.principal.userId, keepCurrent: input.keepCurrent }),
    ),

  setupStatus: anonymousProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/setup/status",
        tag,
        summary: "Whether the first Admin still has to be created",
      },
    })
    .output(setupStatusSchema)
    .query(() => setupStatus()),

  /** For the sign-in page only. */
  signInOptions: anonymousProcedure.output(signInOptionsSchema).query(() => signInOptions()),

  setUp: anonymousProcedure
    .meta({
      audit: "user",
      auditAs: "preparedChange",
      rest: {
        method: "POST",
        path: "/setup",
        tag,
        summary: "Create the first Admin, once",
        description:
          "From another machine or through a proxy, it requires the `token` from the address that the service prints at startup.",
        status: 201,
        location: "/auth/me",
        problems: ["conflict"],
      },
    })
    .input(setupInput)
    .output(userSchema)
    .mutation(({ ctx, input }) => setUpFirst(ctx, input)),
});

const usersTag = "Users";

export const usersRouter = router({
  list: procedureFor("users:manage")
    .meta({ rest: { method: "GET", path: "/users", tag: usersTag, summary: "List users" } })
    .output(listOf(userSchema))
    .query(() => listUsers()),

  create: procedureFor("users:manage")
    .meta({
      audit: "user",
      auditDetail: accessDetail,
      rest: {
        method: "POST",
        path: "/users",
        tag: usersTag,
        summary: "Create a user",
        description:
          "Email addresses are unique, whatever their case. With `projectRoles`, the user is limited to these projects. An " +
          "API key cannot create an Admin (403), unless `KEYS_MAY_MAKE_ADMINS` is on.",
        status: 201,
        problems: ["conflict"],
      },
    })
    .input(createUserInput)
    .output(userSchema)
    .mutation(({ ctx, input }) => createUser(ctx, input)),

  resetSecondFactor: procedureFor("second-factors:reset")
    .meta({
      audit: "user",
      auditDetail: ({ name }: { name: string }) => name,
      rest: {
        method: "POST",
        path: "/users/{id}/second-factor/reset",
        tag: usersTag,
        summary: "Remove a user's second factors",
        description:
          "For someone who has lost them: their passkeys, authenticator app, and recovery codes are removed, and all their " +
          "sessions end. Takes a session: an API key cannot (403).",
        problems: ["conflict"],
      },
    })
    .input(userIdInput)
    .output(userReference)
    .mutation(({ ctx, input }) => resetFactors(ctx, input.id)),

  signInPolicy: procedureFor("settings:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/settings/sign-in",
        tag: "Settings",
        summary: "Which roles need a second factor, and who has none",
      },
    })
    .output(signInPolicySchema)
    .query(() => showSignInPolicy()),

  setSignInPolicy: procedureFor("settings:manage")
    .meta({
      audit: "settings",
      auditDetail: ({ secondFactorRoles }: { secondFactorRoles: readonly string[] }) =>
        `second factor for ${secondFactorRoles.join(", ") || "nobody"}`,
      rest: {
        method: "PUT",
        path: "/settings/sign-in",
        tag: "Settings",
        summary: "Choose the roles that need a second factor",
        description:
          "Someone with one of these roles who signs in by password and has none can do nothing but set one up, from their " +
          "next request. API keys and sign-ins by OIDC are not affected.",
      },
    })
    .input(updateSignInPolicyInput)
    .output(signInPolicySchema)
    .mutation(({ input }) => setSignInPolicy(input)),

  update: procedureFor("users:manage")
    .meta({
      audit: "user",
      auditDetail: accessDetail,
      rest: {
        method: "PUT",
        path: "/users/{id}",
        tag: usersTag,
        summary: "Rename a user, change their access, or disable or enable them",
        description:
          "Takes effect on the user's next request, by session or key. Disabling ends their sessions; " +
          "enabling does not restore them. The last enabled Admin cannot be demoted or disabled. An API key cannot make a user an Admin, or " +
          "enable an Admin (403), unless `KEYS_MAY_MAKE_ADMINS` is on. With `managedBy`, the role and projects cannot be changed (422).",
        problems: ["conflict", "rejected"],
      },
    })
    .input(updateUserInput)
    .output(userSchema)
    .mutation(({ ctx, input }) => updateUser(ctx, input)),

  sessions: procedureFor("users:manage")
    .meta({
      rest: {
        method: "GET",
        path: "/users/{id}/sessions",
        tag: usersTag,
        summary: "List a user's sessions",
        description: "Active sessions, most recently used first.",
      },
    })
    .input(userIdInput)
    .output(listOf(sessionSchema))
    .query(({ ctx, input }) => listSessions(ctx, input.id)),

  revokeSession: procedureFor("users:manage")
    .meta({
      audit: "user",
      auditDetail: (_: unknown, { sessionId }: { sessionId: number }) => `session ${sessionId}`,
      rest: {
        method: "POST",
        path: "/users/{id}/sessions/{sessionId}/revoke",
        tag: usersTag,
        summary: "End one of a user's sessions",
        status: 204,
      },
    })
    .input(userSessionInput)
    .mutation(({ ctx, input: { id: userId, sessionId } }) => revokeSession(ctx, { userId, sessionId })),

  revokeSessions: procedureFor("users:manage")
    .meta({
      audit: "user",
      auditDetail: sessionsDetail,
      rest: {
        method: "POST",
        path: "/users/{id}/sign-out",
        tag: usersTag,
        summary: "End all of a user's sessions",
        description:
          "If the user is the caller, the caller's own session ends as well. API keys keep working.",
      },
    })
    .input(userIdInput)
    .output(sessionsEndedSchema)
    .mutation(({ ctx, input }) => revokeSessions(ctx, { userId: input.id, keepCurrent: false })),
});
