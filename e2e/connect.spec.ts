import { rmSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { sessionCookie, signIn } from "./api.ts";
import { admin, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** Somebody connects their assistant by the page that is there for it. */
const origin = process.env.E2E_URL ?? "";
const address = `${origin}/svc/mcp`;
test.describe.configure({ mode: "serial" });

let page: Page;
let projectId: number;

test.beforeAll(async ({ browser }) => {
  const api = await signIn(origin);
  const made = await api("POST", "/projects", { name: "To be connected" });
  projectId = (made.body as { id: number }).id;
  page = await signedIn(browser, { permissions: ["clipboard-read", "clipboard-write"] });
});
test.afterAll(() => page?.context().close());

async function signedIn(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  const shown = await context.newPage();
  await shown.goto("/sign-in?next=/api-keys");
  await shown.getByLabel("E-mail").fill(admin.email);
  await shown.getByLabel("Password", { exact: true }).fill(admin.password);
  await shown.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(shown).toHaveURL(`${origin}/api-keys`);
  return shown;
}

const tab = (name: string) => page.getByRole("tab", { name, exact: true });
const shownText = async () => (await page.getByRole("tabpanel").locator("pre").textContent()) ?? "";

test("the page is found from the API keys, the person's menu and the palette", async () => {
  await page.getByRole("link", { name: "Connect an assistant" }).click();
  await expect(page).toHaveURL(/\/connect$/);
  await expect(page).toHaveTitle(/Connect an assistant/);
  await page.goto("/projects");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: /Admin$/ }).click();
  await page.getByRole("menuitem", { name: "Connect an assistant" }).click();
  await expect(page).toHaveURL(/\/connect$/);
  await page.goto("/projects");
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Go anywhere" })).toBeFocused();
  await page.keyboard.type("connect an");
  await page.getByRole("option", { name: "Connect an assistant" }).click();
  await expect(page).toHaveURL(/\/connect$/);
});

test("it shows each client's configuration, with the address and a place for the key", async () => {
  await page.goto(`/connect?project=${projectId}`);
  await page.waitForLoadState("networkidle");
  await expect(page.getByText(address, { exact: true })).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText([
    ...["Claude Code", "Claude Desktop", "VS Code", "Cursor", "Other clients", "Try it"],
  ]);
  expect(await shownText()).toContain(
    `claude mcp add --transport http plumbline '${address}' \\\n  --header 'Authorization: Bearer sk-svc_YOUR_API_KEY'`,
  );
  await tab("VS Code").click();
  expect(JSON.parse(await shownText()).servers.plumbline.url).toBe(address);
  await page.getByRole("button", { name: "Copy the address" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
});

test("a key that is made there is filled in; a client that is configured like this has the tools that it shows", async () => {
  await page.getByRole("button", { name: "New API key" }).click();
  const form = page.getByRole("dialog", { name: "New API key" });
  await expect(form.getByLabel("Name")).toHaveValue("Assistant");
  await expect(form.getByRole("radio", { name: "Execute" })).toBeChecked();
  await form.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: /Store the key “Assistant”/ });
  const rawKey = (await dialog.getByLabel("API key", { exact: true }).textContent()) ?? "";
  await dialog.getByRole("button", { name: "I have stored the key" }).click();

  await tab("Cursor").click();
  await page.getByRole("tabpanel").getByRole("button", { name: "Copy" }).click();
  const { plumbline } = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).mcpServers;
  expect(plumbline).toEqual({ url: address, headers: { Authorization: `Bearer ${rawKey}` } });
  const client = new Client({ name: "journey", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(plumbline.url), {
    requestInit: { headers: plumbline.headers },
  });
  await client.connect(transport as Transport);
  const { tools } = await client.listTools();
  const listed = page.getByRole("region", { name: "Tools", exact: true }).getByRole("row");
  await expect(listed).toHaveCount(tools.length + 1);
  for (const { name, description } of tools) {
    const row = listed.filter({ has: page.getByText(name, { exact: true }) });
    await expect(row).toContainText(description ?? "");
  }
  // The project was chosen before, so the key is limited to it.
  const context = await client.callTool({ name: "get_context", arguments: {} });
  expect(context.structuredContent).toMatchObject({ project: { id: projectId, name: "To be connected" } });
  await client.close();

  await page.getByRole("button", { name: "Take it out" }).click();
  expect(await shownText()).not.toContain(rawKey);
  await page.reload();
  expect(await page.content()).not.toContain(rawKey);
});

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1440, 390])
    test(`nothing that axe finds, and nothing beside the page: ${colorScheme}, ${width}`, async ({
      browser,
    }) => {
      const shown = await signedIn(browser, { colorScheme, viewport: { width, height: 900 } });
      await shown.goto("/connect");
      await shown.waitForLoadState("networkidle");
      await expect(shown.getByRole("tab", { name: "Cursor" })).toBeVisible();
      const { violations } = await new AxeBuilder({ page: shown }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      const sticksOut = await shown.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sticksOut).toBe(0);
      await shown.context().close();
    });

test("a Viewer is told of what a Viewer's key may do", async ({ browser }) => {
  const api = await signIn(origin);
  const viewer = { email: "reader@plumbline.example", password: "correct horse battery staple" };
  const made = await api("POST", "/users", { name: "Reader", role: "Viewer", ...viewer });
  expect(made.status).toBe(201);
  const context = await browser.newContext({ baseURL: origin });
  const cookie = await sessionCookie(origin, viewer);
  const pairs = cookie.split("; ").map((pair) => pair.split("="));
  await context.addCookies(pairs.map(([name = "", value = ""]) => ({ name, value, url: origin })));
  const shown = await context.newPage();
  await shown.goto("/connect");
  await shown.waitForLoadState("networkidle");
  const tools = shown.getByRole("region", { name: "Tools", exact: true });
  await expect(tools).toContainText("get_context");
  await expect(tools).not.toContainText("dry_run");
  await shown.getByRole("button", { name: "New API key" }).click();
  await expect(shown.getByRole("radio", { name: "Read" })).toBeChecked();
  await context.close();
});

test("the address is the one that the service is reached at, and a provider is named", async () => {
  test.setTimeout(60_000);
  const dataDir = join(scratch, "connect");
  rmSync(dataDir, { recursive: true, force: true });
  const service = await startService(dataDir, {
    PUBLIC_URL: "https://plumbline.example/",
    OIDC_ISSUER: "https://id.example.com/realms/corp",
    OIDC_CLIENT_ID: "plumbline",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_DEFAULT_ROLE: "Viewer",
  });
  try {
    const cookie = await sessionCookie(service.url);
    const html = await (await fetch(`${service.url}/connect`, { headers: { cookie } })).text();
    expect(html).toContain("https://plumbline.example/svc/mcp");
    expect(html).toContain("https://id.example.com/realms/corp");
    expect(html).not.toContain(`${service.url}/svc/mcp`);
  } finally {
    expect(await service.stop()).toBe(0);
  }
});
