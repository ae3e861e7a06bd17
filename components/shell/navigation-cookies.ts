/** How the navigation was left, in cookies, so that the server can render it that way. */

/** Whether it is collapsed to icons. */
export const narrowCookie = "plumbline.narrow";

/** The labels of the groups that are closed, separated by dots. */
export const closedGroupsCookie = "plumbline.closed";

export const writeClosedGroups = (labels: readonly string[]): string => labels.join(".");

export const readClosedGroups = (cookie: string | undefined): string[] =>
  cookie?.split(".").filter(Boolean) ?? [];

/** Remembers it for a year. */
export function remember(cookie: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${cookie}=${value}; path=/; max-age=31536000; samesite=lax`;
}
