import type { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import { isDatabaseKind } from "../data-sources/kinds.ts";
import { listDataSources } from "../data-sources/service/load-data-sources.ts";
import { identifier, name } from "../db/schema-parts.ts";
import { Problem } from "../errors.ts";

/** Input that identifies a data source by name or id; to spread into strict objects. */
export const sourceFields = {
  dataSourceName: name.optional(),
  dataSourceId: identifier.optional(),
};

type Reference = z.output<z.ZodObject<typeof sourceFields>>;

/**
 * Finds the data source among those visible to the caller; without a name or an id, the only database. Throws
 * not_found, and invalid if the choice is ambiguous.
 */
export async function findNamedSource(ctx: SignedIn, { dataSourceId, dataSourceName }: Reference) {
  const { items } = await listDataSources(ctx);
  const isSaid = dataSourceId !== undefined || dataSourceName !== undefined;
  const meant = isSaid
    ? items.filter(({ id, name }) => id === (dataSourceId ?? id) && name === (dataSourceName ?? name))
    : items.filter(({ kind }) => isDatabaseKind(kind));
  const [source, ...others] = meant;
  if (!source) throw new Problem("not_found", "Data source not found");
  if (others.length > 0) throw new Problem("invalid", `Which data source? ${choices(meant)}`);
  return source;
}

export const idOfNamedSource = async (ctx: SignedIn, reference: Reference): Promise<number> =>
  (await findNamedSource(ctx, reference)).id;

const maxNamed = 20;

function choices(sources: readonly { id: number; name: string }[]): string {
  const named = sources.slice(0, maxNamed).map(({ id, name }) => `${name} (${id})`);
  const more = sources.length > maxNamed ? `, and ${sources.length - maxNamed} more` : "";
  return `There are ${named.join(", ")}${more}: specify a name or an ID`;
}
