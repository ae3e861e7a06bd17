/**
 * Unsaved changes, kept in the browser's own storage until they are saved or discarded: a tab that is closed, a
 * browser that crashes or a session that ends does not lose them. By user, so that nobody is offered somebody else's.
 * Never for a form that holds a password or other credentials.
 */
export type KeptDraft<Value = unknown> = {
  /** In milliseconds since 1970. */
  keptAt: number;
  /** What the form began with, as JSON: whether the thing has been changed since is seen by it. */
  from: string;
  /** The revision of it that the form began from, of what has revisions: saving the draft goes on from there. */
  revision?: number | undefined;
  value: Value;
};

const prefix = "plumbline.draft.";

/** Unsaved changes that nobody has come back to for two weeks are not missed. */
const longestMs = 14 * 24 * 60 * 60 * 1000;

/** What is drafted: `contract-12`, or `contract-new` for one that is not stored yet. */
export const draftKey = (userId: number, thing: string) => `${prefix}${userId}.${thing}`;

/** null where there is none, it is too old, or it cannot be read. */
export function readDraft<Value>(storage: Storage, key: string, now: number): KeptDraft<Value> | null {
  const text = storage.getItem(key);
  if (text === null) return null;
  const draft = parsed(text);
  return draft && now - draft.keptAt <= longestMs ? (draft as KeptDraft<Value>) : null;
}

function parsed(text: string): KeptDraft | null {
  try {
    const draft = JSON.parse(text) as Partial<KeptDraft> | null;
    const isDraft = typeof draft?.keptAt === "number" && typeof draft.from === "string" && draft.value;
    return isDraft ? (draft as KeptDraft) : null;
  } catch {
    return null;
  }
}

/** Whether it could be kept: the browser may allow no storage, or be out of it. */
export function writeDraft(storage: Storage, key: string, draft: KeptDraft): boolean {
  try {
    storage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Removes a user's drafts, when they sign out: the next person at this browser may be another. */
export function removeDraftsOf(storage: Storage, userId: number): void {
  for (const key of keysIn(storage)) if (key.startsWith(draftKey(userId, ""))) storage.removeItem(key);
}

/** Removes what is too old to be offered, whoever's it is. */
export function removeOldDrafts(storage: Storage, now: number): void {
  for (const key of keysIn(storage))
    if (key.startsWith(prefix) && readDraft(storage, key, now) === null) storage.removeItem(key);
}

const keysIn = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter((key) => key !== null);
