type Scope = { dataSources: readonly { name: string }[] | null; tags: readonly string[] | null };

/** What a maintenance window or an incident policy is about: "Warehouse", "tables of Warehouse tagged pii"; null for all. */
export function scopeWords({ dataSources, tags }: Scope): string | null {
  const names = dataSources?.map(({ name }) => name).join(", ") ?? null;
  if (tags === null) return names;
  return ["tables", names === null ? [] : ["of", names], "tagged", tags.join(" or ")].flat().join(" ");
}
