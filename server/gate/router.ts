import { procedureFor, router } from "../trpc.ts";
import { gateInput, gateSchema } from "./schema.ts";
import { openGate } from "./service.ts";

/** For pipelines that only need to know whether they may go on. */
export const gateRouter = router({
  open: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/gate/{table}",
        tag: "Data quality",
        summary: "Whether a pipeline may go on with a table",
        description:
          "200 if every contract about the table is on and its latest score is enough; 409 with the reasons otherwise, so `curl --fail` ends a pipeline's step.",
        problems: ["not_found", "conflict", "rejected"],
      },
    })
    .input(gateInput)
    .output(gateSchema)
    .query(({ ctx, input }) => openGate(ctx, input)),
});
