import { test as base, type Keyboard, type Locator, type Page } from "@playwright/test";
import { takenOver } from "./taken-over.ts";

/** Actions that need an interactive page. */
const deeds = ["click", "check", "uncheck", "fill", "press", "pressSequentially", "selectOption"] as const;

/** They go to whatever has the focus, or to the page: one that is not interactive loses them. */
const keys = ["press", "type"] as const;

/** The journeys' `test`: a page is hydrated before it is used, after navigation and before actions. */
export const test = base.extend<object, { takesOver: undefined }>({
  takesOver: [
    async ({ browser }, use) => {
      const page = await browser.newPage();
      const pages = Object.getPrototypeOf(page) as Pick<Page, "goto" | "reload" | "goBack">;
      const locators = Object.getPrototypeOf(page.locator("html")) as Locator;
      const keyboards = Object.getPrototypeOf(page.keyboard) as Keyboard;
      await page.context().close();
      for (const way of ["goto", "reload", "goBack"] as const) {
        const go = pages[way] as (this: Page, ...all: unknown[]) => ReturnType<Page["goto"]>;
        pages[way] = async function (this: Page, ...all: unknown[]) {
          const response = await go.apply(this, all);
          await takenOver(this);
          return response;
        };
      }
      for (const deed of deeds) {
        type Deed = (this: Locator, ...all: unknown[]) => Promise<never>;
        const act = locators[deed] as unknown as Deed;
        const actLater: Deed = async function (...all) {
          // A link may have led to a page that is being loaded. If anything is wrong with it, the action itself will
          // report it.
          await takenOver(this.page(), 5000).catch(() => {});
          return act.apply(this, all);
        };
        Object.assign(locators, { [deed]: actLater });
      }
      for (const key of keys) {
        // A keyboard knows its page, which its type does not say.
        type Deed = (this: { _page: Page }, ...all: unknown[]) => Promise<void>;
        const act = keyboards[key] as unknown as Deed;
        const actLater: Deed = async function (...all) {
          await takenOver(this._page, 5000).catch(() => {});
          return act.apply(this, all);
        };
        Object.assign(keyboards, { [key]: actLater });
      }
      await use(undefined);
    },
    { scope: "worker", auto: true },
  ],
});
