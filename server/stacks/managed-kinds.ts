/** What files can describe. */
export const managedKinds = [
  "Project",
  "Recipient",
  "DataSource",
  "Query",
  "Subscription",
  "Contract",
  "RuleTemplate",
  "IncidentPolicy",
  "MaintenanceWindow",
  "TableTags",
  "Actor",
  "ServiceAccount",
] as const;
export type ManagedKind = (typeof managedKinds)[number];

/** In a sentence. */
export const managedWords: Record<ManagedKind, string> = {
  Project: "project",
  Recipient: "recipient",
  DataSource: "data source",
  Query: "query",
  Subscription: "subscription",
  Contract: "contract",
  RuleTemplate: "rule template",
  IncidentPolicy: "incident policy",
  MaintenanceWindow: "maintenance window",
  TableTags: "tag list",
  Actor: "AI actor",
  ServiceAccount: "service account",
};
