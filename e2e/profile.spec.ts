import { expect } from "@playwright/test";
import { signIn } from "./api.ts";
import { enter, openAs } from "./enter.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** A user's own time zone and quiet hours, in a browser that is somewhere else. */
test.use({ timezoneId: "America/New_York" });

const person = { name: "Chien-Shiung Wu", email: "wu@example.com", password: "parity of beta decay" };

test.beforeAll(async () => {
  const api = await signIn(sharedUrl);
  const { status } = await api("POST", "/users", { ...person, role: "Admin" });
  expect([201, 409]).toContain(status);
});

test("times follow the zone of the profile, from the first page that the server sends", async ({ page }) => {
  // The first sign-in takes the browser's zone.
  await enter(page, `${sharedUrl}/profile`, person);
  await expect(page.getByText(/^It is .* (EST|EDT|GMT-[45])\.$/)).toBeVisible();

  await page.getByRole("combobox", { name: "Time zone" }).click();
  await page.getByPlaceholder("Search zones…").fill("Asia/Kathmandu");
  await page.getByRole("option", { name: "Asia/Kathmandu" }).click();
  await expect(page.getByText(/^It is .* GMT\+5:45\.$/)).toBeVisible();
  await expect(page.getByText("This browser is in America/New_York.")).toBeVisible();

  // As the server renders it, without a script, and as the browser shows it.
  const sent = await page.request.get(`${sharedUrl}/users`);
  expect(await sent.text()).toContain("GMT+5:45");
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${sharedUrl}/users`);
  await expect(page.locator("time").first()).toHaveAttribute("title", /GMT\+5:45$/);
  expect(problems.filter((text) => /hydrat/i.test(text))).toEqual([]);

  // A day of the audit log is one in this zone: midnight there is 18:15 of the day before in UTC.
  await page.goto(`${sharedUrl}/audit`);
  const from = page.getByLabel("From", { exact: true });
  await expect(async () => {
    await from.fill("");
    await from.fill("2025-11-20");
    await expect(page).toHaveURL(/from=2025-11-19T18(:|%3A)15/, { timeout: 3_000 });
  }).toPass();
});

test("quiet hours are kept", async ({ page }) => {
  await openAs(page, `${sharedUrl}/profile`, person);
  await page.getByRole("switch", { name: "Quiet hours" }).click();
  await page.getByLabel("From", { exact: true }).fill("21:30");
  await page.getByRole("combobox", { name: "When to email about mentions" }).click();
  await page.getByRole("option", { name: "Never" }).click();
  await page.getByRole("button", { name: "Save notifications" }).click();
  await expect(page.getByText("Your notifications are saved")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("21:30");
  await expect(page.getByLabel("Until", { exact: true })).toHaveValue("07:00");
  await expect(page.getByRole("combobox", { name: "When to email about mentions" })).toHaveText(/Never/);
});
