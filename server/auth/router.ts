import { anonymousProcedure, procedureFor, router } from "../trpc.ts";
import { changePasswordInput, meSchema, setupInput, setupStatusSchema, userSchema } from "./schema.ts";
import { changePassword } from "./service/change-password.ts";
import { setUp, setupStatus } from "./service/set-up.ts";
import { me } from "./service/sign-in.ts";

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

  setUp: anonymousProcedure
    .meta({
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
    .mutation(({ input }) => setUp(input)),
});
