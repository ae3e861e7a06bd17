import { beforeEach, expect, test } from "vitest";
import { draftKey, readDraft, removeDraftsOf, removeOldDrafts, writeDraft } from "./kept-drafts.ts";

/** A browser storage with a limited number of characters. */
function aStorage(room = 10_000): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      if (value.length > room) throw new DOMException("Full", "QuotaExceededError");
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 2, 15);
const draft = (keptAt = now) => ({ keptAt, from: '{"name":"A"}', value: { name: "B" } });
const keysOf = (storage: Storage) => Array.from({ length: storage.length }, (_, n) => storage.key(n));

let storage: Storage;
beforeEach(() => {
  storage = aStorage();
});

test("a draft is found by its user and key only", () => {
  expect(writeDraft(storage, draftKey(1, "contract-2"), draft())).toBe(true);
  expect(readDraft(storage, draftKey(1, "contract-2"), now)).toEqual(draft());
  expect(readDraft(storage, draftKey(1, "contract-22"), now)).toBeNull();
  expect(readDraft(storage, draftKey(11, "contract-2"), now)).toBeNull();
});

test("after two weeks drafts are no longer offered and are removed; other entries stay", () => {
  writeDraft(storage, draftKey(1, "contract-1"), draft(now - 14 * day - 1));
  writeDraft(storage, draftKey(2, "contract-1"), draft(now - 14 * day));
  storage.setItem(draftKey(1, "query-1"), "{ cut of");
  storage.setItem("theme", "dark");
  expect(readDraft(storage, draftKey(1, "contract-1"), now)).toBeNull();
  expect(readDraft(storage, draftKey(2, "contract-1"), now)).not.toBeNull();
  removeOldDrafts(storage, now);
  expect(keysOf(storage)).toEqual([draftKey(2, "contract-1"), "theme"]);
});

test("signing out removes only the user's own drafts", () => {
  for (const userId of [1, 11]) writeDraft(storage, draftKey(userId, "query-new"), draft());
  writeDraft(storage, draftKey(1, "actor-3"), draft());
  removeDraftsOf(storage, 1);
  expect(keysOf(storage)).toEqual([draftKey(11, "query-new")]);
});

test.each([
  "",
  "null",
  "7",
  "[]",
  "{}",
  '{"keptAt":"x","from":"","value":{}}',
  '{"keptAt":1,"from":"","value":null}',
])("what stands there but is no draft is none: %j", (text) => {
  storage.setItem(draftKey(1, "query-1"), text);
  expect(readDraft(storage, draftKey(1, "query-1"), now)).toBeNull();
});

test("full storage is reported", () => {
  expect(writeDraft(aStorage(5), draftKey(1, "query-1"), draft())).toBe(false);
});
