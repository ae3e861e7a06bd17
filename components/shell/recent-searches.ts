/** The last few searches of one person, in their browser alone. */
const most = 5;

const keyOf = (userId: number) => `plumbline:searches:${userId}`;

/** Newest first. Whatever else stands there, or a browser that keeps nothing, is none. */
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
    // A browser that keeps nothing: the search was done all the same.
  }
}
