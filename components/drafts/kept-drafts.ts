/**
 * Unsaved changes, kept in the browser's storage until they are saved or discarded, so that a closed tab, a browser
 * crash, or an expired session doesn't lose them. Per user, so that nobody is offered someone else's draft.
 * Never for a form with a password or other credentials.
 */
export type KeptDraft<Value = unknown> = {
  /** In milliseconds since 1970. */
  keptAt: number;
  /** The initial form values as JSON, to detect later changes. */
  from: string;
  /** The revision the form started from, if any: saving the draft continues from there. */
  revision?: number | undefined;
  value: Value;
};

const prefix = "plumbline.draft.";

/** Drafts that nobody has come back to for two weeks are dropped: they are not missed. */
const longestMs = 14 * 24 * 60 * 60 * 1000;

/** A draft's storage key; `thing` is `contract-12`, or `contract-new` if not stored yet. */
export const draftKey = (userId: number, thing: string) => `${prefix}${userId}.${thing}`;

/** null if there is none, it is too old, or it is unreadable. */
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

/** Returns whether it was stored: the browser may block storage, or be out of space. */
export function writeDraft(storage: Storage, key: string, draft: KeptDraft): boolean {
  try {
    storage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Removes a user's drafts on sign-out: the next person may be someone else. */
export function removeDraftsOf(storage: Storage, userId: number): void {
  for (const key of keysIn(storage)) if (key.startsWith(draftKey(userId, ""))) storage.removeItem(key);
}

/** Removes expired drafts of all users. */
export function removeOldDrafts(storage: Storage, now: number): void {
  for (const key of keysIn(storage))
    if (key.startsWith(prefix) && readDraft(storage, key, now) === null) storage.removeItem(key);
}

const keysIn = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter((key) => key !== null);
