import type { Page } from "@playwright/test";

export type Move = {
  /** Milliseconds until the page named by the address is there, its own heading instead of a sketch. */
  ms: number;
  /** Milliseconds in which the content showed nothing, not even a sketch of what comes. */
  blankMs: number;
};

/** Clicks a link of the navigation, and looks at the content in each frame until the page is there. */
export function moveTo(page: Page, href: string): Promise<Move> {
  return page.evaluate(
    (href) =>
      new Promise<Move>((resolve, reject) => {
        const link = document.querySelector<HTMLAnchorElement>(`nav a[href="${href}"]`);
        if (!link) throw new Error(`There is no link to ${href}`);
        const former = document.querySelector("main h1");
        const began = performance.now();
        let before = began;
        let blankMs = 0;
        const look = () => {
          const now = performance.now();
          const main = document.querySelector("main");
          const isBlank =
            !main ||
            (main.textContent.trim() === "" && main.querySelector(".animate-pulse, svg, canvas") === null);
          if (isBlank) blankMs += now - before;
          before = now;
          const heading = document.querySelector("main h1");
          const isThere = location.pathname === href && heading !== null && heading !== former;
          if (isThere) resolve({ ms: now - began, blankMs });
          else if (now - began > 10_000) reject(new Error(`${href} did not come`));
          else requestAnimationFrame(look);
        };
        link.click();
        requestAnimationFrame(look);
      }),
    href,
  );
}
