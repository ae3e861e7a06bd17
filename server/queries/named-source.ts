import type { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import { databaseKinds } from "../data-sources/schema.ts";
import { listDataSources } from "../data-sources/service.ts";
import { identifier, name } from "../db/schema-parts.ts";
import { Problem } from "../errors.ts";

/** A data source by its name or its id, as whoever knows things by their names says it; for strict objects. */
export const sourceFields = {
  dataSourceName: name.optional(),
  dataSourceId: identifier.optional(),
};

type Reference = z.output<z.ZodObject<typeof sourceFields>>;

/**
 * The data source that is meant, among those that the caller may see; where nothing is said, the only database
 * there is. Throws not_found, and invalid where it is left open which of several is meant.
 */
export async function findNamedSource(ctx: SignedIn, { dataSourceId, dataSourceName }: Reference) {
  const { items } = await listDataSources(ctx);
  const isSaid = dataSourceId !== undefined || dataSourceName !== undefined;
  const meant = isSaid
    ? items.filter(({ id, name }) => id === (dataSourceId ?? id) && name === (dataSourceName ?? name))
    : items.filter(({ kind }) => databaseKinds.some((each) => each === kind));
  const [source, ...others] = meant;
  if (!source) throw new Problem("not_found", "Data source not found");
  if (others.length > 0) throw new Problem("invalid", `Which data source? ${choices(meant)}`);
  return source;
}

export const idOfNamedSource = async (ctx: SignedIn, reference: Reference): Promise<number> =>
  (await findNamedSource(ctx, reference)).id;

const most = 20;

function choices(sources: readonly { id: number; name: string }[]): string {
  const named = sources.slice(0, most).map(({ id, name }) => `${name} (${id})`);
  const more = sources.length > most ? `, and ${sources.length - most} more` : "";
  return `There are ${named.join(", ")}${more}: name one, or give its id`;
}
