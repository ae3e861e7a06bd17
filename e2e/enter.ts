import { expect, type Page } from "@playwright/test";
import { admin } from "./service.ts";
import { takenOver } from "./taken-over.ts";

/** Goes to a page as someone who is not signed in, signs in, and waits until the page that was asked for is alive. */
export async function enter(page: Page, path: string, who: { email: string; password: string } = admin) {
  await page.goto(path);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).not.toHaveURL(/\/sign-in/);
  await takenOver(page);
}
