import { schemaRead } from "../data-sources/events.ts";
import { inngest } from "../jobs/client.ts";
import { indexReadSchema } from "./service/index-schema.ts";

/** Indexes tables and columns soon after they are read; a search that comes earlier does it itself. */
export const indexSchema = inngest.createFunction(
  { id: "index-schema", triggers: schemaRead, retries: 2 },
  ({ event, step }) => step.run("index", () => indexReadSchema(event.data.dataSourceId)),
);
