/** How many recent searches are kept per user, only in their browser. */
const most = 5;

const keyOf = (userId: number) => `plumbline:searches:${userId}`;

/** Newest first. Damaged or blocked storage counts as empty. */
export function recentSearches(userId: number, storage: Storage = localStorage): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(userId: number, search: string, storage: Storage = localStorage): void {
  const text = search.trim();
  const others = recentSearches(userId, storage).filter((each) => each.toLowerCase() !== text.toLowerCase());
  try {
    storage.setItem(keyOf(userId), JSON.stringify([text, ...others].slice(0, most)));
  } catch {
    // Storage is blocked; the search itself still worked.
  }
}
