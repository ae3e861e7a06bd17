import { removeDraftsOf } from "./kept-drafts.ts";

/** The drafts being edited on this page: each function discards one and stops saving it. */
const open = new Set<() => void>();

/** Registers a draft; call the returned function to unregister it. */
export function openDraft(discard: () => void): () => void {
  open.add(discard);
  return () => open.delete(discard);
}

/** The user leaves without saving. */
export function discardOpenDrafts(): void {
  for (const discard of open) discard();
}

/** The user signs out. */
export function forgetDrafts(userId: number): void {
  discardOpenDrafts();
  removeDraftsOf(window.localStorage, userId);
}
