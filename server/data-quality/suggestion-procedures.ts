import { procedureFor, recordRun } from "../trpc.ts";
import { suggestRules } from "./service/suggest-rules.ts";
import { type Suggestions, suggestInput, suggestionsSchema } from "./suggest/schema.ts";

export const suggestionProcedures = {
  suggestRules: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditAs: "run",
      auditRun: ({ tableName }: { tableName: string }) => tableName,
      auditOutcome: ({ items }: Suggestions) =>
        `${items.length} ${items.length === 1 ? "suggestion" : "suggestions"}`,
      rest: {
        method: "POST",
        path: "/data-quality/suggestions",
        tag: "Data quality",
        summary: "Rules that a table would pass today, each with what speaks for it",
        description:
          "Reads the table once, a large one in part, and proposes rules. Each has been run and passes; what cannot be judged within 30 seconds is left out and said in `note`.",
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(suggestInput)
    .use(recordRun())
    .output(suggestionsSchema)
    .mutation(({ ctx, input }) => suggestRules(ctx, input)),
};
