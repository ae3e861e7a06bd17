import { procedureFor } from "../trpc.ts";
import { suggestRules } from "./service/suggest-rules.ts";
import { type Suggestions, suggestInput, suggestionsSchema } from "./suggest/schema.ts";

export const suggestionProcedures = {
  suggestRules: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditDetail: ({ items }: Suggestions, input: { tableName: string }) =>
        `${input.tableName}: ${items.length}`,
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
    .output(suggestionsSchema)
    .mutation(({ ctx, input }) => suggestRules(ctx, input)),
};
