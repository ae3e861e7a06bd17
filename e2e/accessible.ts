import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

/** The minified form takes half as long to send and to parse. */
const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The themes only differ in colors, so the dark one is only checked for colors. */
const colorRules = ["color-contrast", "link-in-text-block"];
const notColors = Object.fromEntries(colorRules.map((rule) => [rule, { enabled: false }]));

/** The violations that axe finds on a page as shown, in both themes. */
export async function violationsOf(
  page: Page,
): Promise<{ theme: string; rule: string; elements: string[] }[]> {
  const found = [];
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await finishAnimations(page);
    const checkColors = () => withoutLookalikes(page, () => brokenRules(page, { runOnly: colorRules }));
    let broken = await checkColors();
    if (broken.length > 0) {
      // A toast that faded out meanwhile had colors that were not its own. A violation is still there.
      await finishAnimations(page);
      broken = await checkColors();
    }
    if (theme === "light") broken.push(...(await brokenRules(page, { runOnly: tags, rules: notColors })));
    for (const violation of broken) found.push({ theme, ...violation });
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}

/** Until animations have finished, colors are not final. */
async function finishAnimations(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  );
}

/** Runs axe in the page itself: our pages have no frames, and the adapter for them takes three times as long. */
async function brokenRules(
  page: Page,
  options: axe.RunOptions,
): Promise<{ rule: string; elements: string[] }[]> {
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(source);
    await page.evaluate(parseColorsOnce);
  }
  return page.evaluate(
    async (all) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe };
      const { violations } = await inPage.run(document, all);
      return violations.map(({ id, nodes }) => ({ rule: id, elements: nodes.map(({ html }) => html) }));
    },
    // Style sheets are only read again for rules that are not checked here. Selectors are not reported.
    {
      ...options,
      ...{ resultTypes: ["violations"], selectors: false, preload: { assets: ["media"] } },
    } satisfies axe.RunOptions,
  );
}

type Color = { r: number; g: number; b: number; alpha: number; parseString(text: string): Color };

/** A page has few colors, but axe parses them for every element, in half of the time that it checks colors for. */
function parseColorsOnce(): void {
  const { axe: inPage } = window as unknown as {
    axe: { commons: { color: { Color: { prototype: Color } } } };
  };
  const { prototype } = inPage.commons.color.Color;
  const parse = prototype.parseString;
  const parsed = new Map<string, Pick<Color, "r" | "g" | "b" | "alpha">>();
  prototype.parseString = function (text) {
    const known = parsed.get(text);
    if (known) return Object.assign(this, known);
    parse.call(this, text);
    const { r, g, b, alpha } = this;
    parsed.set(text, { r, g, b, alpha });
    return this;
  };
}

/**
 * Color contrast takes most of axe's time, and the fiftieth row of a table has the colors of the first. Rows, list
 * items, and parts of sections that only differ in text, numbers, and link targets are therefore hidden while colors
 * are checked, except the first three of each kind and the last of each list.
 */
async function withoutLookalikes<Result>(page: Page, work: () => Promise<Result>): Promise<Result> {
  const hidden = await page.evaluateHandle(hideLookalikes);
  try {
    return await work();
  } finally {
    await hidden.evaluate((elements) => {
      for (const element of elements) element.style.removeProperty("visibility");
    });
    await hidden.dispose();
  }
}

function hideLookalikes(): HTMLElement[] {
  const texts =
    /^(id|for|href|src|name|value|title|alt|datetime|aria-(label|description|valuetext|.*by|controls))$/;
  const looks = new Map<Element, string>();
  const lookOf = (element: Element): string => {
    const known = looks.get(element);
    if (known !== undefined) return known;
    const attributes = [...element.attributes]
      .filter(({ name }) => !texts.test(name))
      .map(({ name, value }) => `${name}=${value.replaceAll(/\d+/g, "#")}`);
    const inside = [...element.children].map(lookOf);
    const look = `${element.localName}[${attributes.join()}](${inside.join()})`;
    looks.set(element, look);
    return look;
  };
  const around = (element: Element): string =>
    element.parentElement ? `${around(element.parentElement)} ${element.parentElement.className}` : "";
  const seen = new Map<string, number>();
  const lists = document.querySelectorAll<HTMLElement>("tbody tr, li, dl > div, article, section, section *");
  const lookalikes = [...lists].filter((element) => {
    if (element === element.parentElement?.lastElementChild || element.contains(document.activeElement))
      return false;
    const key = `${around(element)} ${lookOf(element)}`;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return times >= 3 && element.style.visibility === "";
  });
  for (const element of lookalikes) element.style.setProperty("visibility", "hidden", "important");
  return lookalikes;
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
