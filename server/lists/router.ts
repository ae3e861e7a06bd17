import { procedureFor, router } from "../trpc.ts";
import {
  actorsPageInput,
  actorsPageSchema,
  apiKeysPageInput,
  apiKeysPageSchema,
  archivedPageInput,
  archivedPageSchema,
  dataSourcesPageInput,
  dataSourcesPageSchema,
  policiesPageInput,
  policiesPageSchema,
  projectsPageInput,
  projectsPageSchema,
  recipientsPageInput,
  recipientsPageSchema,
  serviceAccountsPageInput,
  serviceAccountsPageSchema,
  templatesPageInput,
  templatesPageSchema,
  usersPageInput,
  usersPageSchema,
  windowsPageInput,
  windowsPageSchema,
} from "./schema.ts";
import { actorsPage } from "./service/actors.ts";
import { apiKeysPage } from "./service/api-keys.ts";
import { archivedActors, archivedQueries } from "./service/archived.ts";
import { dataSourcesPage } from "./service/data-sources.ts";
import { policiesPage } from "./service/policies.ts";
import { projectsPage } from "./service/projects.ts";
import { recipientsPage } from "./service/recipients.ts";
import { templatesPage } from "./service/templates.ts";
import { serviceAccountsPage, usersPage } from "./service/users.ts";
import { windowsPage } from "./service/windows.ts";

/**
 * For the browser: a page of each list, searched, filtered, and sorted. `list` of the same router has everything, for REST, and
 * for the fields that offer all of them.
 */

export const usersPageRouter = router({
  page: procedureFor("users:manage")
    .input(usersPageInput)
    .output(usersPageSchema)
    .query(({ input }) => usersPage(input)),
});

export const serviceAccountsPageRouter = router({
  page: procedureFor("users:manage")
    .input(serviceAccountsPageInput)
    .output(serviceAccountsPageSchema)
    .query(({ ctx, input }) => serviceAccountsPage(ctx, input)),
});

export const apiKeysPageRouter = router({
  page: procedureFor("own-keys:manage")
    .input(apiKeysPageInput)
    .output(apiKeysPageSchema)
    .query(({ ctx, input }) => apiKeysPage(ctx, input)),
});

export const dataSourcesPageRouter = router({
  page: procedureFor("everything:read")
    .input(dataSourcesPageInput)
    .output(dataSourcesPageSchema)
    .query(({ ctx, input }) => dataSourcesPage(ctx, input)),
});

export const recipientsPageRouter = router({
  page: procedureFor("everything:read")
    .input(recipientsPageInput)
    .output(recipientsPageSchema)
    .query(({ ctx, input }) => recipientsPage(ctx, input)),
});

export const projectsPageRouter = router({
  page: procedureFor("everything:read")
    .input(projectsPageInput)
    .output(projectsPageSchema)
    .query(({ ctx, input }) => projectsPage(ctx, input)),
});

export const actorsPageRouter = router({
  page: procedureFor("everything:read")
    .input(actorsPageInput)
    .output(actorsPageSchema)
    .query(({ ctx, input }) => actorsPage(ctx, input)),

  archived: procedureFor("archive:manage")
    .input(archivedPageInput)
    .output(archivedPageSchema)
    .query(({ ctx, input }) => archivedActors(ctx, input)),
});

export const queriesPageRouter = router({
  archived: procedureFor("archive:manage")
    .input(archivedPageInput)
    .output(archivedPageSchema)
    .query(({ ctx, input }) => archivedQueries(ctx, input)),
});

export const templatesPageRouter = router({
  templatesPage: procedureFor("everything:read")
    .input(templatesPageInput)
    .output(templatesPageSchema)
    .query(({ ctx, input }) => templatesPage(ctx, input)),
});

export const windowsPageRouter = router({
  page: procedureFor("everything:read")
    .input(windowsPageInput)
    .output(windowsPageSchema)
    .query(({ ctx, input }) => windowsPage(ctx, input)),
});

export const policiesPageRouter = router({
  policiesPage: procedureFor("everything:read")
    .input(policiesPageInput)
    .output(policiesPageSchema)
    .query(({ ctx, input }) => policiesPage(ctx, input)),
});
