import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { listPolicies } from "../../incidents/service/policies.ts";
import { pageOfRows } from "../page-of-rows.ts";
import type { policiesPageInput } from "../schema.ts";

/** A page of the incident policies visible to the caller. */
export async function policiesPage(
  ctx: SignedIn,
  { projectId, ...asked }: z.output<typeof policiesPageInput>,
) {
  const { items } = await listPolicies(ctx, { projectId });
  return pageOfRows(items, asked, {
    text: ({ name, recipients, escalationRecipients, dataSources, tags }) =>
      [
        name,
        ...[...recipients, ...escalationRecipients, ...(dataSources ?? [])].map((each) => each.name),
        ...(tags ?? []),
      ].join(" "),
    sorts: {
      Name: { by: ({ name }) => name },
      State: { by: ({ enabled }) => enabled, natural: "Desc" },
    },
  });
}
