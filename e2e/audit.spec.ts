import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { type Api, signIn } from "./api.ts";
import { onDatabase, turnMinute } from "./clock.ts";
import { prepareFolder } from "./data-folders.ts";
import { openAs } from "./enter.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** An Admin verifies the audit log; then someone with the database's rights removes an entry, and it shows. */
const dataDir = join(scratch, "audit");
test.describe.configure({ mode: "serial" });

let service: Service;
let api: Api;
let page: Page;
let projectEntry: number;

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir);
  service = await startService(dataDir);
  api = await signIn(service.url);
  for (const name of ["Airport", "Harbor"])
    expect((await api("POST", "/projects", { name })).status).toBe(201);
  page = await (await browser.newContext({ baseURL: service.url })).newPage();
  await openAs(page, `${service.url}/audit`, admin);
});
test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
});

const result = () => page.getByRole("region", { name: "Verification" });
const verify = () => page.getByRole("button", { name: "Verify" }).click();
const verified = async () =>
  (await api("GET", "/audit-log/verification")).body as { links: number; waiting: number };

test("new entries are chained by the next minute, and the log is intact", async () => {
  await turnMinute(dataDir);
  await expect.poll(verified).toMatchObject({ waiting: 0, links: expect.any(Number) });
  const { links } = await verified();
  expect(links).toBeGreaterThan(2);
  await verify();
  await expect(result().getByRole("status")).toContainText(/Intact from .+ \d\d:\d\d.* to .+/);
  await expect(result()).toContainText(`${links} links checked`);
  await expectAccessible(page);
  await result().getByRole("button", { name: "Close the verification" }).click();
  await expect(result()).toHaveCount(0);
});

test("an entry that was removed, and one that was changed, are named", async () => {
  const { items } = (await api("GET", "/audit-log?action=projects.create")).body as {
    items: { id: number; detail: string }[];
  };
  const idOf = (name: string) => items.find(({ detail }) => detail === name)?.id ?? 0;
  projectEntry = idOf("Airport");
  await onDatabase(dataDir, async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`delete from audit_log where id = ${projectEntry}`;
    await sql`update audit_log set principal_name = 'Nobody' where id = ${idOf("Harbor")}`;
  });
  await verify();
  const status = result().getByRole("status");
  await expect(status).toContainText("2 problems found: the log does not match its signed chain");
  await expect(status).toContainText(`Entry ${projectEntry} is missing, from `);
  await expect(status).toContainText(`Entry ${idOf("Harbor")} (Created a project) was changed, from `);
  await expectAccessible(page);
});

test("only Admins can verify", async () => {
  const vera = { name: "Vera", email: "vera@plumbline.example", password: "long enough password" };
  expect((await api("POST", "/users", { ...vera, role: "Editor" })).status).toBe(201);
  const hers = await signIn(service.url, vera);
  expect((await hers("GET", "/audit-log/verification")).status).toBe(403);
});
