import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import { type Api, signIn } from "./api.ts";
import type { Service } from "./service.ts";

/** A URL without a page. */
export const nowhere = "/nothing-here";

/** Where pages with a parameter are found in the demo; every one must be listed here, and those that need a query. */
const examples: Record<string, string> = {
  "/catalog/[dataSourceId]": "/catalog/1",
  "/catalog/[dataSourceId]/[schema]/[table]": "/catalog/1/public/airports",
  "/findings/teach": "/findings/teach?source=1&schema=public&table=airports",
  "/data-sources/[id]": "/data-sources/1",
  "/data-sources/[id]/edit": "/data-sources/1/edit",
  "/data-quality/contracts/[id]": "/data-quality/contracts/1",
  "/data-quality/contracts/[id]/edit": "/data-quality/contracts/1/edit",
  "/docs/api/[tag]": "/docs/api/subscriptions",
  "/queries/[id]": "/queries/1",
  "/subscriptions/[id]": "/subscriptions/1",
  "/subscriptions/[id]/edit": "/subscriptions/1/edit",
  "/tasks/[id]": "/tasks/1",
  "/act/[deed]/[id]": "/act/silence-subscription/1?span=hour",
  "/ai-actors/[id]": "/ai-actors/1",
  "/ai-actors/[id]/edit": "/ai-actors/1/edit",
};

/** The pages that redirect signed-in users. */
export const redirecting: readonly string[] = ["/", "/sign-in", "/setup", "/second-factor"];

/** Every page, derived from the folders in `app/`: `/`, `/tasks/[id]`, and so on. */
export const pages: readonly string[] = readdirSync(join(import.meta.dirname, "../app"), {
  recursive: true,
  encoding: "utf8",
})
  .filter((file) => /(^|\/)page\.tsx$/.test(file))
  .map((file) => `/${dirname(file)}`.replace(/\/\([^/]+\)/g, "").replace(/^\/\.$/, "") || "/")
  .sort();

/**
 * The URL of each page on a service that has just loaded its demo (`DEMO=on`); what the demo lacks is created first.
 */
export async function addressesOf(service: Service): Promise<(page: string) => string> {
  const made = { ...examples, ...(await makeTheRest(service)) };
  return (page) => {
    const address = made[page] ?? (page.includes("[") ? undefined : page);
    if (!address) throw new Error(`An example of ${page} belongs into this file`);
    return address;
  };
}

/**
 * Creates a query that finds rows, its subscription, and the task that its first run opens, so that at least one of
 * each exists. Also a change of the query, which is pending like the demo's plan. Returns paths of such objects.
 */
async function makeTheRest(service: Service): Promise<Record<string, string>> {
  const api = await signIn(service.url);
  const create = async (path: string, body: object) => {
    const { body: created } = await api("POST", path, body);
    return (created as { id: number }).id;
  };
  const steps = [{ dataSourceId: 1, sql: "select 1 as row" }];
  const queryId = await create("/queries", { projectId: 1, name: "One row", steps });
  const id = await create("/subscriptions", { queryId, cronExpression: "0 6 * * *", createTasks: true });
  const ended = await api("POST", `/subscriptions/${id}/execute`, undefined, { prefer: "wait" });
  expect(ended.body).toMatchObject({ status: "NotificationSent", rowCount: 1 });
  await api("PUT", "/settings", { approvalWorkflow: true, fourEyes: false });
  const changed = [{ dataSourceId: 1, sql: "select 2 as row" }];
  await api("PUT", `/queries/${queryId}`, { name: "One row", steps: changed });
  const { body } = await api("GET", "/approvals/pending");
  const firstOf = (list: unknown) => (list as { items: { id: number }[] }).items[0]?.id;
  // The demo's actor needs a moment first.
  const plans = async () => firstOf((await api("GET", "/ai-actors/1/pending-plans")).body);
  await expect.poll(plans, { timeout: 60_000 }).toBeDefined();
  const template = {
    ...{ projectId: 1, name: "Codes are set", selector: { columns: ["code"] } },
    rule: { name: "{column} is never NULL", type: "NullRate", configuration: { maxNullPercent: 0 } },
  };
  const templateId = await create("/data-quality/templates", template);
  const { body: incidents } = await api("GET", "/incidents");
  return {
    "/incidents/[id]": `/incidents/${firstOf(incidents)}`,
    "/data-quality/templates/[id]": `/data-quality/templates/${templateId}`,
    "/findings/[id]": `/findings/${await oneFinding(api)}`,
    "/approvals/[id]": `/approvals/${firstOf(body)}`,
    "/ai-actors/plans/[id]": `/ai-actors/plans/${await plans()}`,
  };
}

/** The first finding of the demo's scan. */
async function oneFinding(api: Api): Promise<number | undefined> {
  const { body } = await api("GET", "/data-quality/findings");
  return (body as { items: { id: number }[] }).items[0]?.id;
}
