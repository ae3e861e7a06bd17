import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The themes only differ in colors, so the dark one is only checked for colors. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** The violations that axe finds on a page as shown, in both themes. */
export async function violationsOf(
  page: Page,
): Promise<{ theme: string; rule: string; elements: string[] }[]> {
  const found = [];
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    // Until animations have finished, colors are not final.
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
          .map(({ finished }) => finished.catch(() => {})),
      ),
    );
    for (const violation of await brokenRules(page, theme === "light" ? tags : colorRules))
      found.push({ theme, ...violation });
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/**
 * Runs axe in the page itself: our pages have no frames, and the adapter for them takes three times as long.
 * `rulesOrTags` are either all rules or all tags.
 */
async function brokenRules(
  page: Page,
  rulesOrTags: string[],
): Promise<{ rule: string; elements: string[] }[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (runOnly) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const { violations } = await inPage.run(document, { runOnly, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => ({ rule: id, elements: nodes.map(({ html }) => html) }));
  }, rulesOrTags);
}

/**
 * Checks that a page is accessible in its current state: axe finds nothing, in light and dark, and it fits the width of
 * a phone; if other elements are shown there, axe runs again. everybody.spec.ts covers all pages in their initial
 * state, so this is for dialogs, failures, and the like.
 */
export async function expectAccessible(page: Page, { isOtherOnPhone = false } = {}): Promise<void> {
  expect(await violationsOf(page), page.url()).toEqual([]);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const outside = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(outside, page.url()).toBe(0);
  if (isOtherOnPhone) expect(await violationsOf(page), `${page.url()} on a phone`).toEqual([]);
  if (size) await page.setViewportSize(size);
}
