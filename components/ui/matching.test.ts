import { expect, test } from "vitest";
import { matching } from "./matching.ts";

const groups = [
  {
    label: "flights",
    items: [
      { value: "origin", hint: "text" },
      { value: "delay", hint: "integer" },
    ],
  },
  { label: "airports", items: [{ value: "origin_state" }, { value: "Name" }] },
];
const values = (search: string, limit = 10) =>
  matching(groups, search, limit).groups.map((group) => group.items.map((item) => item.value));

test("every word must match in the label, hint, or group name, ignoring case", () => {
  expect(values("ORIGIN")).toEqual([["origin"], ["origin_state"]]);
  expect(values("origin airports")).toEqual([["origin_state"]]);
  expect(values("flights int")).toEqual([["delay"]]);
  expect(values("name")).toEqual([["Name"]]);
  expect(values("nothing")).toEqual([]);
});

test("the limit applies across groups, and the rest is counted", () => {
  expect(values("", 3)).toEqual([["origin", "delay"], ["origin_state"]]);
  expect(matching(groups, "", 3).more).toBe(1);
  expect(matching(groups, "", 10).more).toBe(0);
});

test("an item named exactly like the search comes first, and so does its group", () => {
  const columns = [
    {
      label: "Times",
      items: [
        { value: "is_created" },
        { value: "seen", hint: "created by a trigger" },
        { value: "created_at" },
      ],
    },
    { label: "Others", items: [{ value: "created_by" }, { value: "Created" }] },
  ];
  const found = (search: string) =>
    matching(columns, search, 10).groups.map(({ items }) => items.map(({ value }) => value));
  expect(found("created")).toEqual([
    ["Created", "created_by"],
    ["created_at", "is_created", "seen"],
  ]);
  expect(found("created_a")).toEqual([["created_at"]]);
});

test("server results are shown regardless of the search, with a count of the rest", () => {
  const found = [...groups, { items: [{ value: "carrier" }], found: { more: 7 } }];
  const { groups: shown, more } = matching(found, "delay", 10);
  expect(shown.map(({ items }) => items.map(({ value }) => value))).toEqual([["delay"], ["carrier"]]);
  expect(more).toBe(7);
});
