import type { AnyTRPCProcedure } from "@trpc/server";
import { actorsRouter } from "./actors/router.ts";
import { apiKeysRouter } from "./api-keys/router.ts";
import { approvalsRouter } from "./approvals/router.ts";
import { auditRouter } from "./audit/router.ts";
import { auditChainRouter } from "./audit-chain/router.ts";
import { sessionRouter, usersRouter } from "./auth/router.ts";
import { catalogRouter } from "./catalog/router.ts";
import { causesRouter } from "./causes/router.ts";
import { controlTowerRouter } from "./control-tower/router.ts";
import { dataQualityRouter } from "./data-quality/router.ts";
import { dataSourcesRouter } from "./data-sources/router.ts";
import { favoritesRouter } from "./favorites/router.ts";
import { findingsRouter, suggestionsRouter } from "./findings/router.ts";
import { gateRouter } from "./gate/router.ts";
import { gettingStartedRouter } from "./getting-started/router.ts";
import { incidentsRouter } from "./incidents/router.ts";
import { jobsRouter } from "./jobs/router.ts";
import {
  actorsPageRouter,
  apiKeysPageRouter,
  dataSourcesPageRouter,
  policiesPageRouter,
  projectsPageRouter,
  queriesPageRouter,
  recipientsPageRouter,
  serviceAccountsPageRouter,
  templatesPageRouter,
  usersPageRouter,
  windowsPageRouter,
} from "./lists/router.ts";
import { maintenanceRouter } from "./maintenance/router.ts";
import { needsAttentionRouter } from "./needs-attention/router.ts";
import { notificationsRouter, recipientsRouter } from "./notifications/router.ts";
import { projectsRouter } from "./projects/router.ts";
import { queriesRouter } from "./queries/router.ts";
import { questionsRouter } from "./questions/router.ts";
import { hubRouter } from "./realtime/router.ts";
import { reportedEventsRouter } from "./reported-events/router.ts";
import { serviceAccountsRouter } from "./service-accounts/router.ts";
import { settingsRouter } from "./settings/router.ts";
import { stacksRouter } from "./stacks/router.ts";
import { anomaliesRouter, subscriptionsRouter } from "./subscriptions/router.ts";
import { tasksRouter } from "./tasks/router.ts";
import { mergeRouters, router } from "./trpc.ts";
import { viewsRouter } from "./views/router.ts";
import { watchRouter } from "./watch/router.ts";

/** All procedures: tRPC serves them directly, REST by each one's `meta.rest`. */
export const appRouter = router({
  session: sessionRouter,
  apiKeys: mergeRouters(apiKeysRouter, apiKeysPageRouter),
  projects: mergeRouters(projectsRouter, projectsPageRouter),
  dataSources: mergeRouters(dataSourcesRouter, dataSourcesPageRouter),
  queries: mergeRouters(queriesRouter, queriesPageRouter),
  stacks: stacksRouter,
  subscriptions: subscriptionsRouter,
  actors: mergeRouters(actorsRouter, actorsPageRouter),
  questions: questionsRouter,
  approvals: approvalsRouter,
  favorites: favoritesRouter,
  gettingStarted: gettingStartedRouter,
  needsAttention: needsAttentionRouter,
  controlTower: controlTowerRouter,
  incidents: mergeRouters(incidentsRouter, policiesPageRouter),
  watch: watchRouter,
  gate: gateRouter,
  reportedEvents: reportedEventsRouter,
  maintenance: mergeRouters(maintenanceRouter, windowsPageRouter),
  tasks: tasksRouter,
  anomalies: anomaliesRouter,
  // In a separate router: suggestions depend on findings, which contracts must not import.
  dataQuality: mergeRouters(dataQualityRouter, suggestionsRouter, templatesPageRouter),
  findings: findingsRouter,
  causes: causesRouter,
  catalog: catalogRouter,
  recipients: mergeRouters(recipientsRouter, recipientsPageRouter),
  notifications: notificationsRouter,
  settings: settingsRouter,
  users: mergeRouters(usersRouter, usersPageRouter),
  serviceAccounts: mergeRouters(serviceAccountsRouter, serviceAccountsPageRouter),
  jobs: jobsRouter,
  auditLog: mergeRouters(auditRouter, auditChainRouter),
  hub: hubRouter,
  views: viewsRouter,
});

export type AppRouter = typeof appRouter;

/** All procedures by their path: `projects.list`. */
export const procedures = appRouter._def.procedures as unknown as Readonly<Record<string, AnyTRPCProcedure>>;
