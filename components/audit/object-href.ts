const pages: Record<string, (id: number) => string> = {
  contract: (id) => `/data-quality/contracts/${id}`,
  dataSource: (id) => `/data-sources/${id}`,
  query: (id) => `/queries/${id}`,
  subscription: (id) => `/subscriptions/${id}`,
  actor: (id) => `/ai-actors/${id}`,
  plan: (id) => `/ai-actors/plans/${id}`,
  approval: (id) => `/approvals/${id}`,
  task: (id) => `/tasks/${id}`,
  project: (id) => `/data-quality?project=${id}`,
};

/** Where an entry's object can be seen; null for kinds without a page, and for what the entry did away with. */
export function objectHref(entry: {
  action: string;
  objectKind: string;
  objectId: number | null;
}): string | null {
  if (entry.objectId === null || /\.(delete|archive)/.test(entry.action)) return null;
  return pages[entry.objectKind]?.(entry.objectId) ?? null;
}
