import { expect, test } from "vitest";
import { accountPrompt, checkedAccount } from "./account.ts";
import type { ReadCause } from "./schema.ts";

const cause = (id: string, more: Partial<ReadCause> = {}): ReadCause => ({
  ...{ id, kind: "Rows", strength: 0.94, statement: "", detail: null, about: null, at: null, parts: null },
  ...{ rows: null, share: null, usualShare: null, path: null, url: null },
  ...more,
});
const why = (causes: ReadCause[], notes: string[] = []) => ({
  ...{ title: "Orders", began: new Date(0), causes, omitted: 0, notes, readAt: new Date(0) },
});
const told = (causes: ReadCause[], notes?: string[]) => {
  const { prompt, values } = accountPrompt(why(causes, notes));
  return { prompt, values };
};

test("values of rows are marks in the prompt, and are put back into the account", () => {
  const { prompt, values } = told([
    cause("C1", {
      statement: "98 % of the failing rows have source = legacy and region = north; 4 % of all rows do.",
      parts: [
        { column: "source", is: "Value", value: "legacy" },
        { column: "region", is: "Value", value: "north" },
      ],
    }),
    cause("C2", {
      kind: "Upstream",
      statement: "shop.raw: New in status: void, on hold.",
      about: "New in status: void",
    }),
  ]);
  expect(prompt).toContain("98 % of the failing rows have source = [C1-1] and region = [C1-2]; 4 %");
  expect(prompt).toContain("shop.raw: New in status: [C2-1].");
  for (const value of ["legacy", "north", "void", "on hold"]) expect(prompt).not.toContain(value);
  const written = {
    sentences: [{ text: "Most are of [C1-1]; [C2-1] is new, [C9-1] is not.", sources: ["C1", "C2"] }],
  };
  expect(checkedAccount(written, [{ id: "C1" }, { id: "C2" }], values).sentences).toEqual([
    { text: "Most are of legacy; void, on hold is new, [C9-1] is not.", sources: ["C1", "C2"] },
  ]);
});

test("values that an error quotes do not reach the prompt", () => {
  const { prompt } = told(
    [cause("C1", { statement: "A." })],
    ['It could not run: invalid input syntax for type integer: "4111-1111"'],
  );
  expect(prompt).not.toContain("4111");
  expect(prompt).toContain("invalid input syntax");
});

test("sentences without a source, with one that does not exist, and empty ones are dropped", () => {
  const written = {
    sentences: [
      { text: "It began\nwith the load.", sources: ["C1", "C1"] },
      { text: "Restart the loader.", sources: [] },
      { text: "Somebody did it.", sources: ["C1", "C7"] },
      { text: "  ", sources: ["C1"] },
    ],
  };
  expect(checkedAccount(written, [{ id: "C1" }], new Map())).toEqual({
    sentences: [{ text: "It began with the load.", sources: ["C1"] }],
    dropped: 3,
  });
});
