import type { Page } from "@playwright/test";

/** Each frame of a scroll: how long it took in milliseconds, and whether rows were missing where they belong. */
export type Scroll = { frames: number[]; blank: number };

/** So many pixels per frame, as a fast wheel turns; 3 seconds of it, or until the end. */
const step = 200;
const most = 180;

/** Scrolls from the top in the page, or in the element that `within` selects; `row` selects a row. */
export function scroll(page: Page, row: string, within: string | null = null): Promise<Scroll> {
  return page.evaluate(
    async ({ row, within, step, most }) => {
      const scroller = within === null ? document.scrollingElement : document.querySelector(within);
      if (!scroller) throw new Error("There is nothing to scroll");
      const list = document.querySelector(row);
      if (!list) throw new Error("There are no rows");
      const middle = list.getBoundingClientRect().left + 200;
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const isDrawn = () => {
        const box = within === null ? null : scroller.getBoundingClientRect();
        const [top, height] = box ? [box.top, box.height] : [0, innerHeight];
        const x = box ? box.left + box.width / 2 : middle;
        // Some rows are hidden behind what sticks to an edge, so three places in the middle are looked at.
        return [0.3, 0.5, 0.7].every((part) =>
          document.elementsFromPoint(x, top + height * part).some((each) => each.closest(row)),
        );
      };
      const frames: number[] = [];
      let blank = 0;
      // So that the list fills the window.
      if (within === null) list.scrollIntoView({ block: "start" });
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
    { row, within, step, most },
  );
}
