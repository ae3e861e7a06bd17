import type { Page } from "@playwright/test";

/** Set in a page once it is interactive. */
type Known = { isTakenOver?: boolean; streamedAt?: number };

/**
 * Waits until React has hydrated a page. Occasionally, on a busy machine, a click on a button that is not hydrated yet
 * is lost, and so is a key that the page listens for. Costs next to nothing for a page that was already waited for.
 */
export async function takenOver(page: Page, timeout?: number): Promise<void> {
  // Usually true, and cheaper to ask than to wait for. Fails while the page is being replaced.
  if (await page.evaluate(() => (window as Known).isTakenOver === true).catch(() => false)) return;
  // A promise would count as true here, whatever it resolves to.
  await page.waitForFunction(
    () => {
      if ((window as Known).isTakenOver || !("__next_f" in window)) return true; // Without Next's data it is not our page.
      // What was streamed is here until React shows it, up to 300 ms later, and only then hydrates it. What is here for
      // much longer belongs to something that is not shown any more.
      if (document.querySelector("[hidden][id^='S:']")) {
        const known = window as Known;
        known.streamedAt ??= performance.now();
        if (performance.now() - known.streamedAt < 1500) return false;
      }
      const hasOwner = (element: Element) => Object.keys(element).some((key) => key.startsWith("__react"));
      const drawn = [...document.querySelectorAll("h1, button, main a, form")];
      return drawn.filter((element) => !element.closest(".cm-editor, [hidden]")).every(hasOwner);
    },
    undefined,
    { timeout },
  );
  const isLeft = await page.evaluate(isIdle).then(
    () => false,
    (error: Error) => /context was destroyed|navigation/i.test(error.message),
  );
  if (isLeft) await takenOver(page, timeout);
}

/** Elements have their fiber while React is still working; refs and effects follow before the page is idle. */
async function isIdle(): Promise<void> {
  const known = window as Known;
  if (known.isTakenOver) return;
  for (let times = 0; times < 2; times += 1)
    await new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 2000 }));
  known.isTakenOver = "__next_f" in window;
}
