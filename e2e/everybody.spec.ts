import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violationsOf } from "./accessible.ts";
import { prepareFolder } from "./data-folders.ts";
import { addressesOf, nowhere, pages, redirecting } from "./every-page.ts";
import { policyViolationsOf } from "./policy-violations.ts";
import { admin, type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** Every page is accessible: WCAG 2.2 AA as far as a program can tell, on the demo. */
const dataDir = join(scratch, "everyone");

let service: Service;
let page: Page;
let addressOf: (page: string) => string;
let violations: string[];

test.beforeAll(async ({ browser }) => {
  await prepareFolder(dataDir, "demo");
  service = await startService(dataDir, { DEMO: "on" });
  addressOf = await addressesOf(service);
  // axe requires a context created this way.
  const context = await browser.newContext({ baseURL: service.url, reducedMotion: "reduce" });
  page = await context.newPage();
  violations = await policyViolationsOf(page);
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/home/);
});

test.afterAll(async () => {
  await page?.context().close();
  expect(await service?.stop()).toBe(0);
});

test("the sign-in pages are accessible", async () => {
  const cookies = await page.context().cookies();
  await page.goto("about:blank");
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await isForEverybody();
  await page.context().addCookies(cookies);
});

// `/setup` is covered where there are no users yet.
for (const each of [...pages.filter((path) => !redirecting.includes(path)), nowhere])
  test(`${each} is for everyone`, async () => {
    const answer = await page.goto(addressOf(each));
    expect(answer?.status()).toBe(each === nowhere ? 404 : 200);
    // So React leaves to the browser what the server could not complete, often after it has waited for it for seconds.
    expect(await answer?.text()).not.toContain('$RX("');
    await isForEverybody();
    expect(violations).toEqual([]);
    const title = await page.title();
    expect(title).toMatch(/^\S.* · Plumbline$/);
    expect(titles.get(title), "another page has the same title").toBeUndefined();
    titles.set(title, each);
  });

const titles = new Map<string, string>();

async function isForEverybody(): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect.soft(await violationsOf(page)).toEqual([]);
  expect.soft(await moving(), "moves although less motion is asked for").toEqual([]);
  await fitsWhateverItsSize();
  await canBeUsedByKeyboard();
}

const moving = () =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 160)),
  );

/** 1280 by 1024 pixels at 200% and 400%, as in WCAG 1.4.10, and a phone: nothing overflows to the side. */
async function fitsWhateverItsSize(): Promise<void> {
  const sizes = [
    [640, 512],
    [320, 256],
    [390, 844],
  ] as const;
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    const outside = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.soft.poll(outside, { message: `at a width of ${width}` }).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/**
 * Tab moves from one element to the next, each visible and marked as focused: through everything around the first page
 * of the console, where that is the same on every page, and on the others by "Skip to content" to what is theirs.
 */
async function canBeUsedByKeyboard(): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  const startsInContent = await page.evaluate(() => document.activeElement?.closest("main") != null);
  if (startsInContent || (await skipLink().count()) === 0) return tabThrough(30);
  if (!isNavigationChecked) {
    await tabThrough(stopsAround + stopsInContent);
    isNavigationChecked = true;
    return;
  }
  // Which link is the current page's is the only difference in the navigation.
  const current = page.locator("nav:visible [aria-current=page]");
  if ((await current.count()) > 0) {
    await current.focus();
    await seesTheFocus();
  }
  await skipLink().focus();
  await seesTheFocus();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await tabThrough(stopsInContent);
}

let isNavigationChecked = false;
const stopsAround = 30;
const stopsInContent = 12;
const skipLink = () => page.getByRole("link", { name: "Skip to content" });

async function tabThrough(presses: number): Promise<void> {
  let last = "";
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press("Tab");
    const place = await seesTheFocus();
    if (place === null) break;
    expect.soft(place, "the focus stands still").not.toBe(last);
    last = place;
  }
  expect.soft(last, "nothing takes the focus").not.toBe("");
}

/** Where the focus is, after checking that one can tell; null after the last element. */
async function seesTheFocus(): Promise<string | null> {
  const at = await focused();
  if (at === null) return null;
  expect.soft(at.isShown, `${at.html} has the focus out of sight`).toBe(true);
  expect.soft(at.isMarked, `${at.html} does not show that it has the focus`).toBe(true);
  return at.place;
}

/** The focused element, whether it is visible, and whether it looks different when focused; null after the last. */
const focused = () =>
  page.evaluate(async () => {
    // Changes caused by the focus, such as the skip link's position, appear with the next frame.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return null;
    const { top, left, bottom, right } = element.getBoundingClientRect();
    const isShown = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    // A field's focus mark may be on a surrounding element.
    const editor = element.closest(".cm-editor");
    const groups = [element.closest("label, [role=group]"), editor, editor?.parentElement];
    const around = [element, element.parentElement, ...groups];
    const look = () =>
      around
        .filter((each) => each != null)
        .map((each) => getComputedStyle(each))
        .flatMap((style) => [style.outline, style.boxShadow, style.borderColor, style.backgroundColor])
        .join();
    const at = `${element.outerHTML.slice(0, 160)} at ${left}, ${top + scrollY}`;
    // Day, month and year of a date field are stops of their own, and losing the focus would lead back to the first.
    const shown = window as { lastFocused?: Element; parts?: number };
    if (element === shown.lastFocused && element.matches("input[type=date], input[type=datetime-local]")) {
      // No more than a date, a time and the button of its calendar have.
      shown.parts = Math.min((shown.parts ?? 1) + 1, 8);
      return { html: at, place: `${at}, part ${shown.parts}`, isShown, isMarked: true };
    }
    Object.assign(shown, { lastFocused: element, parts: 1 });
    const withFocus = look();
    element.blur();
    const without = look();
    element.focus({ preventScroll: true });
    return { html: at, place: at, isShown, isMarked: withFocus !== without };
  });
