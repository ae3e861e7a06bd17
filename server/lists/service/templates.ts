import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { listTemplates } from "../../data-quality/service/templates.ts";
import { pageOfRows } from "../page-of-rows.ts";
import type { templatesPageInput } from "../schema.ts";

/** A page of the rule templates visible to the caller. */
export async function templatesPage(
  ctx: SignedIn,
  { projectId, ...asked }: z.output<typeof templatesPageInput>,
) {
  const { items } = await listTemplates(ctx, { projectId });
  const page = pageOfRows(items, asked, {
    text: ({ name, rule }) => `${name} ${rule.name}`,
    sorts: { Name: { by: ({ name }) => name } },
  });
  return { ...page, isApplied: items.every(({ isApplied }) => isApplied) };
}
