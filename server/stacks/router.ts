import { procedureFor, router } from "../trpc.ts";
import { listManagedInput, managedThingsSchema, takeOverInput } from "./schema.ts";
import { listManaged, takeOver } from "./service.ts";

const tag = "As code";

export const stacksRouter = router({
  things: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/stacks/things",
        tag,
        summary: "List what is managed as code",
        description:
          "By which stack and file, and who changed it since it was last applied. A call with an API key and the headers `Plumbline-Stack` and `Plumbline-Path` (percent-encoded) makes what it creates or updates that stack's own; other calls that would edit it return 409.",
      },
    })
    .input(listManagedInput)
    .output(managedThingsSchema)
    .query(({ ctx, input }) => listManaged(ctx, input)),

  takeOver: procedureFor("stacks:takeover")
    .meta({
      audit: "stack",
      rest: {
        method: "POST",
        path: "/stacks/take-over",
        tag,
        summary: "Let people edit something again that is managed as code",
        description:
          "Until it is applied again: `plumbline apply` stops at it if it is not as its file says, unless told to take it back. A call for the stack that owns it, with the headers `Plumbline-Stack` and `Plumbline-Path`, gives it up instead: nothing is managed any more.",
        status: 204,
        problems: ["not_found"],
      },
    })
    .input(takeOverInput)
    .mutation(async ({ ctx, input }) => takeOver(ctx, input)),
});
