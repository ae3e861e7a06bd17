/** Between a bar and the toasts above it, in pixels. */
const gap = 12;
/** How high a toast reaches where there is no bar, in pixels. */
const reach = 120;

/**
 * For the `ref` of a bar of buttons at the bottom of the window: while it is there, toasts appear above it instead of over its
 * buttons.
 */
export function toastsAbove(bar: HTMLElement): () => void {
  const { style } = document.documentElement;
  const place = () => {
    const { top, bottom } = bar.getBoundingClientRect();
    if (bottom < window.innerHeight - reach) style.removeProperty("--toasts-bottom");
    else style.setProperty("--toasts-bottom", `${Math.round(window.innerHeight - top + gap)}px`);
  };
  const observer = new ResizeObserver(place);
  observer.observe(bar);
  observer.observe(document.body);
  window.addEventListener("resize", place);
  window.addEventListener("scroll", place, { passive: true });
  place();
  return () => {
    observer.disconnect();
    window.removeEventListener("resize", place);
    window.removeEventListener("scroll", place);
    style.removeProperty("--toasts-bottom");
  };
}
