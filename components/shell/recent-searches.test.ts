import { expect, test } from "vitest";
import { recentSearches, rememberSearch } from "./recent-searches.ts";

function aStorage(kept: Record<string, string> = {}): Storage {
  const items = new Map(Object.entries(kept));
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  } as Partial<Storage> as Storage;
}

test("keeps each user's last five searches, newest first, without duplicates", () => {
  const storage = aStorage();
  for (const search of ["one", "two", "three", " Two ", "four", "five", "six"])
    rememberSearch(1, search, storage);
  expect(recentSearches(1, storage)).toEqual(["six", "five", "four", "Two", "three"]);
  expect(recentSearches(2, storage)).toEqual([]);
});

test("damaged or blocked storage counts as empty", () => {
  const key = "plumbline:searches:1";
  expect(recentSearches(1, aStorage({ [key]: "{" }))).toEqual([]);
  expect(recentSearches(1, aStorage({ [key]: '{"0":"x"}' }))).toEqual([]);
  expect(recentSearches(1, aStorage({ [key]: '["a",1,null,"b"]' }))).toEqual(["a", "b"]);
  const refusing = {
    getItem() {
      throw new Error("SecurityError");
    },
    setItem() {
      throw new Error("QuotaExceededError");
    },
  } as Partial<Storage> as Storage;
  rememberSearch(1, "x", refusing);
  expect(recentSearches(1, refusing)).toEqual([]);
});
