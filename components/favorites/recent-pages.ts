import { favoriteKinds } from "@/server/favorites/kinds.ts";
import { pathOfThing, type Thing } from "./favorite-page.ts";

/** How many pages are remembered per user, only in their browser. */
const most = 8;

const keyOf = (userId: number) => `plumbline:pages:${userId}`;

/** The pages a user opened last, newest first. Damaged or blocked storage counts as empty. */
export function recentPages(userId: number, storage: Storage = localStorage): Thing[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isThing).slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberPage(userId: number, thing: Thing, storage: Storage = localStorage): void {
  const path = pathOfThing(thing);
  const others = recentPages(userId, storage).filter((each) => pathOfThing(each) !== path);
  try {
    storage.setItem(keyOf(userId), JSON.stringify([thing, ...others].slice(0, most)));
  } catch {
    // Storage is blocked; the page itself still works.
  }
}

function isThing(value: unknown): value is Thing {
  const { kind, id, name } = (value ?? {}) as Partial<Record<keyof Thing, unknown>>;
  return favoriteKinds.some((each) => each === kind) && Number.isInteger(id) && typeof name === "string";
}
