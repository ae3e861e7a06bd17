import { expect, type Page } from "@playwright/test";
import { sessionCookie } from "./api.ts";
import { admin } from "./service.ts";
import { takenOver } from "./taken-over.ts";

/** Opens a page while signed out, signs in, and waits until the requested page is interactive. */
export async function enter(page: Page, path: string, who: { email: string; password: string } = admin) {
  await page.goto(path);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/\/sign-in/);
  await takenOver(page);
}

/** Opens a page as a user with a new session, without the sign-in page, for journeys that are not about signing in. */
export async function openAs(page: Page, url: string, who: { email: string; password: string } = admin) {
  const { origin } = new URL(url);
  const [name = "", ...value] = (await sessionCookie(origin, who)).split("; ").at(-1)?.split("=") ?? [];
  await page.context().addCookies([{ name, value: value.join("="), url: origin }]);
  await page.goto(url);
}
