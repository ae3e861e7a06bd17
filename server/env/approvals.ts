import { flag } from "./values.ts";

/** Which changes to queries need approval. */
export const approvalSettings = {
  APPROVAL_WORKFLOW: flag
    .default(false)
    .describe("on|off: changes to a query's SQL need approval. An Admin can override this in the settings."),
  APPROVAL_FOUR_EYES: flag
    .default(false)
    .describe("on|off: nobody can approve their own change. An Admin can override this in the settings."),
};
