import { z } from "zod";
import { actorSchema } from "../actors/schema.ts";
import { apiKeySchema } from "../api-keys/schema.ts";
import { keyStates } from "../api-keys/state.ts";
import { role, userSchema } from "../auth/schema.ts";
import { ruleTemplateSchema } from "../data-quality/templates/schema.ts";
import { dataSourceSchema } from "../data-sources/schema.ts";
import { identifier, momentOut, pageOf, paging, searching, sorting } from "../db/schema-parts.ts";
import { policySchema } from "../incidents/schema.ts";
import { windowSchema } from "../maintenance/schema.ts";
import { recipientSchema } from "../notifications/schema.ts";
import { projectSchema } from "../projects/schema.ts";
import { serviceAccountSchema } from "../service-accounts/schema.ts";
import { type ListName, sortsOf } from "./sorts.ts";

/** Inputs and outputs of the lists of the console that show what people create one by one. */

/** A page of a list: which part of it, what is searched for, and the order. */
const pageInput = <const List extends ListName>(list: List, where: string) =>
  z.strictObject({
    ...paging,
    ...searching(where),
    ...sorting(sortsOf[list], sortsOf[list][0], { description: "A column of the list" }),
  });

const inProject = { projectId: identifier.optional() };
const enabled = z.boolean().optional();

export const usersPageInput = pageInput("users", "the name or the email address").extend({
  role: role.optional(),
  enabled,
});
export const usersPageSchema = pageOf(userSchema);

export const serviceAccountsPageInput = pageInput("serviceAccounts", "the name").extend({ enabled });
export const serviceAccountsPageSchema = pageOf(
  serviceAccountSchema.extend({ activeKeyCount: z.int(), lastUsedAt: momentOut.nullable() }),
);

export const apiKeysPageInput = pageInput(
  "apiKeys",
  "the name, the prefix, the owner, a scope, or a project",
).extend({ status: z.enum(keyStates).optional(), ownerId: identifier.optional() });
export const apiKeysPageSchema = pageOf(
  apiKeySchema.extend({
    madeBy: z.string().nullable().meta({ description: "The key that created it; null if a person did" }),
    activeBelow: z.array(z.object({ id: identifier, name: z.string(), prefix: z.string() })).meta({
      description: "The active keys that it created, directly or indirectly",
    }),
  }),
);

export const dataSourcesPageInput = pageInput(
  "dataSources",
  "the name, the connection, or the project",
).extend(inProject);
export const dataSourcesPageSchema = pageOf(dataSourceSchema.extend({ activeContractCount: z.int() }));

export const recipientsPageInput = pageInput(
  "recipients",
  "the name, the type, the destination, or the project",
).extend(inProject);
export const recipientsPageSchema = pageOf(recipientSchema);

export const projectsPageInput = pageInput("projects", "the name or the description");
export const projectsPageSchema = pageOf(projectSchema);

export const actorsPageInput = pageInput("actors", "the name, the data source, or the instructions").extend(
  inProject,
);
export const actorsPageSchema = pageOf(actorSchema).extend({
  isWorking: z.boolean().meta({ description: "Whether any actor is in a cycle, on this page or another" }),
});

export const templatesPageInput = pageInput("templates", "the name of the template or its rule").extend(
  inProject,
);
export const templatesPageSchema = pageOf(ruleTemplateSchema).extend({
  isApplied: z.boolean().meta({ description: "Whether all contracts have what their templates say" }),
});

export const windowsPageInput = pageInput("windows", "the name, the reason, a data source, or a tag").extend(
  inProject,
);
export const windowsPageSchema = pageOf(windowSchema);

export const policiesPageInput = pageInput(
  "policies",
  "the name, a recipient, a data source, or a tag",
).extend(inProject);
export const policiesPageSchema = pageOf(policySchema);

/** Something archived, which an Admin can restore. */
const archivedSchema = z.object({
  id: identifier,
  projectId: identifier,
  name: z.string(),
  archivedAt: momentOut,
});
export const archivedPageInput = z.strictObject({ ...inProject, ...searching("the name"), ...paging });
export const archivedPageSchema = pageOf(archivedSchema);
