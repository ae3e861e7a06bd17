import type { Page } from "@playwright/test";

/** Each frame of a scroll: how long it took in milliseconds, and whether rows were missing where they belong. */
export type Scroll = { frames: number[]; blank: number };

/** So many pixels per frame, as a fast wheel turns; 3 seconds of it, or until the end. */
const step = 200;
const most = 180;

/** Scrolls in the page, from the first row on; `row` selects rows. */
export function scroll(page: Page, row: string): Promise<Scroll> {
  return page.evaluate(
    async ({ row, step, most }) => {
      const scroller = document.scrollingElement;
      if (!scroller) throw new Error("There is nothing to scroll");
      const list = document.querySelector(row);
      if (!list) throw new Error("There are no rows");
      const middle = list.getBoundingClientRect().left + 200;
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const isDrawn = () =>
        [0.3, 0.5, 0.7].every((part) =>
          document.elementsFromPoint(middle, innerHeight * part).some((each) => each.closest(row)),
        );
      const frames: number[] = [];
      let blank = 0;
      // So that the list fills the window.
      list.scrollIntoView({ block: "start" });
      let before = await frame();
      while (
        frames.length < most &&
        scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - step
      ) {
        scroller.scrollBy(0, step);
        const now = await frame();
        frames.push(now - before);
        before = now;
        if (!isDrawn()) blank += 1;
      }
      return { frames, blank };
    },
    { row, step, most },
  );
}
