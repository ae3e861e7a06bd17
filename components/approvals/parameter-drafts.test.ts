import { expect, test } from "vitest";
import { readParameters } from "@/components/queries/parameter-values.ts";
import { draftsOfValues } from "./parameter-drafts.ts";

test("stored values shown in the form are read back as the same values", () => {
  const values = { region: "north", least: -1.5e-7, open: false, since: null, none: "" };
  expect(readParameters(Object.keys(values), draftsOfValues(values))).toEqual({ values, problems: {} });
});
