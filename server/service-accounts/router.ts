import { accessDetail } from "../auth/access-detail.ts";
import { listServiceAccounts } from "../auth/service/service-accounts.ts";
import { listOf } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import { createServiceAccountInput, serviceAccountSchema, updateServiceAccountInput } from "./schema.ts";
import { createServiceAccount, updateServiceAccount } from "./service.ts";

const tag = "Service accounts";

/** Owners of API keys that are no people. */
export const serviceAccountsRouter = router({
  list: procedureFor("users:manage")
    .meta({ rest: { method: "GET", path: "/service-accounts", tag, summary: "List service accounts" } })
    .output(listOf(serviceAccountSchema))
    .query(() => listServiceAccounts()),

  create: procedureFor("users:manage")
    .meta({
      audit: "serviceAccount",
      auditDetail: accessDetail,
      rest: {
        method: "POST",
        path: "/service-accounts",
        tag,
        summary: "Create a service account",
        description:
          "It owns API keys (`POST /api-keys` with `serviceAccountId`), which keep working when people leave. Nobody can sign " +
          "in as one, and it cannot approve changes and plans. With `projectRoles`, it is limited to these projects.",
        status: 201,
      },
    })
    .input(createServiceAccountInput)
    .output(serviceAccountSchema)
    .mutation(({ ctx, input }) => createServiceAccount(ctx, input)),

  update: procedureFor("users:manage")
    .meta({
      audit: "serviceAccount",
      auditDetail: accessDetail,
      rest: {
        method: "PUT",
        path: "/service-accounts/{id}",
        tag,
        summary: "Rename a service account, change its access, or disable or enable it",
        description:
          "Takes effect on the next request of its keys. Disabling suspends them until it is enabled again, and is possible even if the account is managed as code: it then counts as taken over.",
        problems: ["conflict"],
      },
    })
    .input(updateServiceAccountInput)
    .output(serviceAccountSchema)
    .mutation(({ ctx, input }) => updateServiceAccount(ctx, input)),
});
