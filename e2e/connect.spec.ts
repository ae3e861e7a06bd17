import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
import { sessionCookie, signIn } from "./api.ts";
import { prepareFolder } from "./data-folders.ts";
import { enter } from "./enter.ts";
import { scratch, startService } from "./service.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** Someone connects their assistant, using the page for it. */
const origin = sharedUrl;
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
  await enter(shown, "/sign-in?next=/api-keys");
  await expect(shown).toHaveURL(`${origin}/api-keys`);
  return shown;
}

const tab = (name: string) => page.getByRole("tab", { name, exact: true });
const shownText = async () => (await page.getByRole("tabpanel").locator("pre").textContent()) ?? "";

test("the page is linked from the API keys, the user menu, and the palette", async () => {
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

test("it shows each client's configuration, with the URL and a placeholder for the key", async () => {
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

test("a new key is filled in, and a client with this configuration has the tools shown", async () => {
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
  // What needs the scope Admin is shown, but not for this key.
  const within = listed.filter({ hasNot: page.getByText("Admin", { exact: true }) });
  await expect(within).toHaveCount(tools.length + 1);
  for (const { name, description } of tools) {
    const row = listed.filter({ has: page.getByText(name, { exact: true }) });
    await expect(row).toContainText(description ?? "");
  }
  // The project was chosen before, so the key is limited to it.
  const context = await client.callTool({ name: "get_context", arguments: {} });
  expect(context.structuredContent).toMatchObject({ project: { id: projectId, name: "To be connected" } });
  await client.close();

  await page.getByRole("button", { name: "Remove it" }).click();
  expect(await shownText()).not.toContain(rawKey);
  await page.reload();
  expect(await page.content()).not.toContain(rawKey);
});

test("a Viewer sees what a Viewer's key can do", async ({ browser }) => {
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

test("the URL is the service's public one, and the identity provider is named", async () => {
  const dataDir = join(scratch, "connect");
  await prepareFolder(dataDir);
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
