import { expect, test } from "vitest";
import { costOf, listPriceOf } from "./prices.ts";

test("a known model has a list price, and so do its dated snapshots, unless they have their own", () => {
  expect(listPriceOf("gpt-4.1")).toEqual({ inputPerMillion: 2, outputPerMillion: 8 });
  expect(listPriceOf("gpt-4.1-2025-04-14")).toEqual({ inputPerMillion: 2, outputPerMillion: 8 });
  expect(listPriceOf("gpt-4o-2024-05-13")).toEqual({ inputPerMillion: 5, outputPerMillion: 15 });
});

test.each(["qwen3:8b", "gpt-4.1-turbo", "gpt-99", "constructor", ""])(
  "the cost of %j is unknown, not 0",
  (model) => {
    expect(listPriceOf(model)).toBeNull();
    expect(costOf({ input: 1, output: 1 }, listPriceOf(model))).toBeNull();
  },
);

test("tokens are charged per million, with separate prices for input and output", () => {
  const price = { inputPerMillion: 2, outputPerMillion: 8 };
  expect(costOf({ input: 1000, output: 500 }, price)).toBe(0.006);
  expect(costOf({ input: 1, output: 1 }, { inputPerMillion: 0.05, outputPerMillion: 0.4 })).toBe(0.00000045);
  expect(costOf({ input: 0, output: 0 }, price)).toBe(0);
  expect(costOf({ input: 5000, output: 5000 }, { inputPerMillion: 0, outputPerMillion: 0 })).toBe(0);
});
