import { procedureFor, router } from "../trpc.ts";
import { assistantProcedures } from "./assistant-procedures.ts";
import { previewQueryInput, previewSchema } from "./schema.ts";
import { previewDetail, previewQuery } from "./service.ts";

export const queriesRouter = router({
  ...assistantProcedures,

  preview: procedureFor("queries:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditDetail: previewDetail,
      rest: {
        method: "POST",
        path: "/queries/preview",
        tag: "Queries",
        summary: "Run one SQL text that reads, without storing it",
        description:
          "At most 1,000 rows and 4 MB, for at most 30 s. `{{name}}` in the SQL, outside of strings and " +
          "comments, stands for a value of `parameters`, which is bound and never pasted.",
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(previewQueryInput)
    .output(previewSchema)
    .mutation(({ ctx, input }) => previewQuery(ctx, input)),
});
