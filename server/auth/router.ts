import { listOf } from "../db/schema-parts.ts";
import { anonymousProcedure, procedureFor, router } from "../trpc.ts";
import { signInOptions } from "./oidc.ts";
import {
  changePasswordInput,
  createUserInput,
  meSchema,
  setupInput,
  setupStatusSchema,
  signInOptionsSchema,
  type User,
  updateUserInput,
  userSchema,
} from "./schema.ts";
import { changePassword } from "./service/change-password.ts";
import { setUp, setupStatus } from "./service/set-up.ts";
import { me } from "./service/sign-in.ts";
import { createUser, listUsers, updateUser } from "./service/users.ts";

const tag = "Session";

export const sessionRouter = router({
  me: procedureFor("everything:read")
    .meta({
      rest: { method: "GET", path: "/auth/me", tag, summary: "Who is calling, and what they may see" },
    })
    .output(meSchema)
    .query(({ ctx }) => me(ctx)),

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

  setupStatus: anonymousProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/setup/status",
        tag,
        summary: "Whether the first Admin is still to be made",
      },
    })
    .output(setupStatusSchema)
    .query(() => setupStatus()),

  /** For the sign-in page alone. */
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
        status: 201,
        location: "/auth/me",
        problems: ["conflict"],
      },
    })
    .input(setupInput)
    .output(userSchema)
    .mutation(({ ctx, input }) => setUp(input, ctx)),
});

const usersTag = "Users";

/** An entry says what the user has become, so that a role or a lost access is found in the log. */
const userDetail = ({ name, role, enabled }: User) =>
  [name, role, ...(enabled ? [] : ["disabled"])].join(", ");

export const usersRouter = router({
  list: procedureFor("users:manage")
    .meta({ rest: { method: "GET", path: "/users", tag: usersTag, summary: "List users" } })
    .output(listOf(userSchema))
    .query(() => listUsers()),

  create: procedureFor("users:manage")
    .meta({
      audit: "user",
      auditDetail: userDetail,
      rest: {
        method: "POST",
        path: "/users",
        tag: usersTag,
        summary: "Create a user",
        description: "E-mail addresses are unique, whatever their case.",
        status: 201,
        problems: ["conflict"],
      },
    })
    .input(createUserInput)
    .output(userSchema)
    .mutation(({ input }) => createUser(input)),

  update: procedureFor("users:manage")
    .meta({
      audit: "user",
      auditDetail: userDetail,
      rest: {
        method: "PUT",
        path: "/users/{id}",
        tag: usersTag,
        summary: "Rename, re-role, disable or enable a user",
        description:
          "It counts from the user's next request on, whether by session or by key. The last enabled Admin stays one.",
        problems: ["conflict"],
      },
    })
    .input(updateUserInput)
    .output(userSchema)
    .mutation(({ input }) => updateUser(input)),
});
