import { test as base, type Page } from "@playwright/test";

/**
 * The journeys' `test`: a page that was gone to is one that React has taken over. What is clicked on a button
 * that the server drew and React has not seen yet is lost, on a busy machine now and then.
 */
async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    if (!("__next_f" in window)) return true; // somebody else's page, or an answer that is none
    const hasOwner = (element: Element) => Object.keys(element).some((key) => key.startsWith("__react"));
    const drawn = [...document.querySelectorAll("h1, button, main a, form")];
    return drawn.filter((element) => !element.closest(".cm-editor, [hidden]")).every(hasOwner);
  });
}

export const test = base.extend<object, { takesOver: undefined }>({
  takesOver: [
    async ({ browser }, use) => {
      const page = await browser.newPage();
      const pages = Object.getPrototypeOf(page) as Pick<Page, "goto" | "reload" | "goBack">;
      await page.context().close();
      for (const way of ["goto", "reload", "goBack"] as const) {
        const go = pages[way] as (this: Page, ...all: unknown[]) => ReturnType<Page["goto"]>;
        pages[way] = async function (this: Page, ...all: unknown[]) {
          const response = await go.apply(this, all);
          await takenOver(this);
          return response;
        };
      }
      await use(undefined);
    },
    { scope: "worker", auto: true },
  ],
});
