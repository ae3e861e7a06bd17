/** The orders of each list; the first one is the usual one. Without Zod: the browser loads this file. */
export const sortsOf = {
  users: ["Name", "Email", "Role", "State", "LastSignIn", "Created"],
  serviceAccounts: ["Name", "State", "Keys", "LastUsed", "Created"],
  apiKeys: ["Created", "Name", "Status", "LastUsed", "Expires", "Owner"],
  dataSources: ["Name", "Project", "Server", "Database", "Login", "Contracts"],
  recipients: ["Name", "Project", "Type", "Destination", "State"],
  projects: ["Name", "Description", "Created"],
  actors: ["Status", "Name", "Plans", "Queries", "Subscriptions", "Tokens", "Cost", "Cycles", "LastCycle"],
  templates: ["Name"],
  windows: ["Time", "Name"],
  policies: ["Name", "State"],
} as const;

export type ListName = keyof typeof sortsOf;
export type SortOf<List extends ListName> = (typeof sortsOf)[List][number];
