const pages: Record<string, (id: number) => string> = {
  contract: (id) => `/data-quality/contracts/${id}`,
  ruleTemplate: (id) => `/data-quality/templates/${id}`,
  dataSource: (id) => `/data-sources/${id}`,
  finding: (id) => `/findings/${id}`,
  query: (id) => `/queries/${id}`,
  subscription: (id) => `/subscriptions/${id}`,
  actor: (id) => `/ai-actors/${id}`,
  plan: (id) => `/ai-actors/plans/${id}`,
  approval: (id) => `/approvals/${id}`,
  task: (id) => `/tasks/${id}`,
  incident: (id) => `/incidents/${id}`,
  incidentPolicy: () => "/incidents/policies",
  maintenanceWindow: () => "/incidents/maintenance",
  project: (id) => `/data-quality?project=${id}`,
};

/** The page of an entry's object; null if it has none, or if the entry deleted it. */
export function objectHref(entry: {
  action: string;
  objectKind: string;
  objectId: number | null;
}): string | null {
  if (entry.objectId === null || /\.(delete|archive|remove)/.test(entry.action)) return null;
  return pages[entry.objectKind]?.(entry.objectId) ?? null;
}
