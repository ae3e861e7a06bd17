import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { sessionCookie, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { enter } from "./enter.ts";
import { redirecting } from "./every-page.ts";
import { policyViolationsOf } from "./policy-violations.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** The security headers, and that every page works with them. */
const dataDir = join(scratch, "headers");
test.describe.configure({ mode: "serial" });

let service: Service;
let page: Page;
let violations: string[];

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir, "demo");
  service = await startService(dataDir, { DEMO: "on" });
  page = await browser.newPage({ baseURL: service.url });
  violations = await policyViolationsOf(page);
});

test.afterAll(async () => {
  await page?.close();
  expect(await service?.stop()).toBe(0);
});

// Those that do not redirect are covered by everybody.spec.ts.
test("people sign in, and pages that redirect load without a violation", async () => {
  await enter(page, "/sign-in");
  await expect(page).toHaveURL(/\/home/);

  for (const path of redirecting) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(200);
    await page.waitForLoadState("networkidle");
  }
  expect(violations).toEqual([]);
});

test("styles added later work: the editor, lists, dialogs, toasts, themes", async () => {
  await page.goto("/data-quality/contracts/new");
  await page.getByRole("combobox", { name: "Data source" }).click();
  await page.getByRole("option").first().click();
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("menuitem", { name: /^Custom SQL/ }).click();
  const editor = page.locator(".cm-editor");
  await editor.getByRole("textbox").fill("select 1 as passed");
  // The editor's own style sheet: without it the cursor's layer would displace the text.
  await expect(editor).toHaveCSS("display", "flex");
  await page.locator("summary").filter({ hasText: /^More/ }).click();
  await page.getByRole("combobox", { name: "Severity" }).click();
  await expect(page.getByRole("option", { name: /^Critical/ })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/data-quality/contracts/1");
  await page.getByRole("button", { name: "Evaluate now" }).click();
  const toast = page.locator("[data-sonner-toaster]");
  await expect(toast).toContainText("Evaluated:");
  await expect(toast).toHaveCSS("position", "fixed");
  await expect(page.locator("main svg").first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");

  // Navigation without a page load: new content has a later nonce, in a document with the first one's policy.
  for (const name of ["Data sources", "Recipients"]) {
    await page.getByRole("link", { name, exact: true }).first().click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  }
  await page.getByRole("button", { name: "New recipient" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(
    await page.evaluate(async () => (await document.fonts.load("14px 'Inter Variable'")).length),
  ).toBeGreaterThan(0);
  expect(violations).toEqual([]);
});

test("an injected script does not run, however it gets into the page", async () => {
  const ways = [
    "<script>window.ran = 'inline'</script>",
    "<script nonce=''>window.ran = 'empty nonce'</script>",
    "<script src=\"data:text/javascript,window.ran='data'\"></script>",
    "<img src=/missing onerror=\"window.ran = 'handler'\">",
    "<svg onload=\"window.ran = 'svg'\"></svg>",
    "<iframe srcdoc=\"<script>parent.ran = 'frame'</script>\"></iframe>",
    "<base href=https://elsewhere.example/>",
    "<style>h1 { display: none }</style>",
    "<object data='data:text/html,<script>1</script>'></object>",
  ];
  await page.route("**/recipients", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(<body[^>]*>)/, `$1${ways.join("")}`);
    await route.fulfill({ response, body });
  });
  violations.length = 0;
  await page.goto("/recipients");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  // Added later, as if by a script of the page that inserts untrusted text.
  await page.evaluate((html) => {
    document.body.insertAdjacentHTML("beforeend", html);
    const made = document.createElement("div");
    made.innerHTML = html;
    document.body.append(made);
  }, ways.join(""));
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate(() => (window as unknown as { ran?: string }).ran)).toBeUndefined();
  expect(await page.evaluate(() => document.baseURI)).toBe(`${service.url}/recipients`);
  for (const directive of ["script-src-elem inline", "script-src-elem data", "script-src-attr inline"])
    expect(violations.join("\n")).toContain(directive);
  await page.unrouteAll();
});

test("every response carries them: pages, APIs, files, and refusals", async () => {
  const paths = [
    ...["/sign-in", "/svc/api/projects", "/svc/api/auth/csrf", "/svc/trpc/projects.list", "/openapi/v1.json"],
    ...["/icon.svg", "/nothing-here", "/svc/api/nothing-here", "//projects"],
  ];
  const policies = new Set<string | null>();
  for (const path of paths) {
    const { headers } = await fetch(service.url + path, { redirect: "manual" });
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("x-frame-options"), path).toBe("DENY");
    expect(headers.get("referrer-policy"), path).toBe("same-origin");
    expect(headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
    expect(headers.get("permissions-policy"), path).toContain("camera=()");
    expect(headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy"), path).not.toContain("unsafe-eval");
    for (const absent of ["x-powered-by", "server", "strict-transport-security"])
      expect(headers.get(absent), `${path} ${absent}`).toBeNull();
    policies.add(headers.get("content-security-policy"));
  }
  expect(policies.size).toBe(paths.length);
  const refused = await fetch(service.url, { method: "PROPFIND" });
  expect([refused.status, refused.headers.get("x-frame-options")]).toEqual([405, "DENY"]);
});

test("a policy sent by the caller is ignored", async () => {
  const sent = { "content-security-policy": "script-src 'nonce-bWluZQ=='", "x-plumbline-nonce": "bWluZQ==" };
  const answer = await fetch(`${service.url}/sign-in`, { headers: sent });
  expect(answer.headers.get("content-security-policy")).not.toContain("bWluZQ==");
  expect(await answer.text()).not.toContain("bWluZQ==");
});

test("behind an https proxy: secure cookies, and the caller's own address", async () => {
  const folder = join(scratch, "headers-https");
  await prepareFolder(folder);
  const behind = await startService(folder, { PUBLIC_URL: "https://plumbline.example", TRUST_PROXY: "1" });
  try {
    const csrf = await fetch(`${behind.url}/svc/api/auth/csrf`);
    expect(csrf.headers.get("strict-transport-security")).toBe("max-age=31536000");
    for (const cookie of csrf.headers.getSetCookie())
      expect(cookie).toMatch(/^__(Host|Secure)-next-auth.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const cookie = await sessionCookie(behind.url);
    expect(cookie).toContain("__Secure-next-auth.session-token=");
    const api = await signIn(behind.url);
    const created = await api(
      "POST",
      "/projects",
      { name: "Shop" },
      { "x-forwarded-for": "127.0.0.1, 192.0.2.7" },
    );
    expect(created.status).toBe(201);
    const { body } = await api("GET", "/audit-log?action=projects.create");
    expect(body).toMatchObject({ items: [{ address: "192.0.2.7" }] });
  } finally {
    await behind.stop();
  }
});
