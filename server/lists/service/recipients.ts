import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { listRecipients } from "../../notifications/service/recipients.ts";
import { recipientTypeLabels } from "../../notifications/type-labels.ts";
import { pageOfRows } from "../page-of-rows.ts";
import type { recipientsPageInput } from "../schema.ts";
import { projectNamesOf } from "./projects.ts";

/** A page of the recipients visible to the caller. */
export async function recipientsPage(
  ctx: SignedIn,
  { projectId, ...asked }: z.output<typeof recipientsPageInput>,
) {
  const [{ items }, nameOfProject] = await Promise.all([
    listRecipients(ctx, { projectId }),
    projectNamesOf(ctx),
  ]);
  return pageOfRows(items, asked, {
    text: ({ name, type, destination, projectId }) =>
      [name, recipientTypeLabels[type], destination, nameOfProject(projectId)].join(" "),
    sorts: {
      Name: { by: ({ name }) => name },
      Project: { by: ({ projectId }) => nameOfProject(projectId) },
      Type: { by: ({ type }) => recipientTypeLabels[type] },
      Destination: { by: ({ destination }) => destination },
      State: { by: ({ enabled }) => enabled },
    },
  });
}
