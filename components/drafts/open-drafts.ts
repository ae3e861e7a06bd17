import { removeDraftsOf } from "./kept-drafts.ts";

/** The drafts that are being written on this page: what discards one, and keeps it from being written once more. */
const open = new Set<() => void>();

/** Until what is returned is called, `discard` counts as one of them. */
export function openDraft(discard: () => void): () => void {
  open.add(discard);
  return () => open.delete(discard);
}

/** The person leaves without saving. */
export function discardOpenDrafts(): void {
  for (const discard of open) discard();
}

/** The person signs out. */
export function forgetDrafts(userId: number): void {
  discardOpenDrafts();
  removeDraftsOf(window.localStorage, userId);
}
