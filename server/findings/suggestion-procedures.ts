import { suggestInput } from "../data-quality/suggest/schema.ts";
import { plural } from "../text.ts";
import { procedureFor, recordRun } from "../trpc.ts";
import { suggestRules } from "./service/suggest-rules.ts";
import { type Suggestions, suggestionsSchema } from "./suggestion-schema.ts";

export const suggestionProcedures = {
  suggestRules: procedureFor("evaluations:run")
    .meta({
      audit: "dataSource",
      auditId: "dataSourceId",
      auditAs: "run",
      auditRun: ({ tableName }: { tableName: string }) => tableName,
      auditOutcome: ({ items }: Suggestions) => plural(items.length, "suggestion"),
      rest: {
        method: "POST",
        path: "/data-quality/suggestions",
        tag: "Data quality",
        summary: "Suggest rules for a table, with evidence",
        description:
          "Reads the table (a sample of large tables). Rules that fail today because something looks wrong come first (`passes: false`), each with its finding. Rules that pass follow. Each was run; rules that cannot be checked within 30 seconds are omitted and mentioned in `note`.",
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(suggestInput)
    .use(recordRun())
    .output(suggestionsSchema)
    .mutation(({ ctx, input }) => suggestRules(ctx, input)),
};
