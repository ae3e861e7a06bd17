import { procedureFor, router } from "../trpc.ts";
import { auditChoicesSchema, auditLogInput, auditLogSchema } from "./schema.ts";
import { auditChoices, listEntries } from "./service.ts";

const tag = "Audit log";

export const auditRouter = router({
  list: procedureFor("audit:read")
    .meta({
      rest: {
        method: "GET",
        path: "/audit-log",
        tag,
        summary: "Who did what, newest first",
        description:
          "Every change, decision, sign-in, and SQL run. Reads with a key are one entry per key and hour. `from` is inclusive, `to` is not.",
      },
    })
    .input(auditLogInput)
    .output(auditLogSchema)
    .query(({ input }) => listEntries(input)),

  /** Only for the page's filters: REST clients know what they are looking for. */
  choices: procedureFor("audit:read")
    .output(auditChoicesSchema)
    .query(() => auditChoices()),
});
