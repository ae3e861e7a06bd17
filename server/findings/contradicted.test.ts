import { expect, test } from "vitest";
import { isContradicted } from "./contradicted.ts";

const missing = { kind: "MissingValue", columns: ["email"], rule: null } as const;
const short = { kind: "Truncated", columns: ["id"], rule: null } as const;

test("a rule that accepts what is doubted is contradicted; others, and other columns, are not", () => {
  expect(isContradicted({ type: "NullRate", column: "email" }, [missing])).toBe(true);
  expect(isContradicted({ type: "NullRate", column: "name" }, [missing])).toBe(false);
  expect(isContradicted({ type: "Uniqueness", column: "email" }, [missing])).toBe(false);
  expect(isContradicted({ type: "Volume", column: null }, [missing])).toBe(false);
  expect(isContradicted({ type: "Volume", column: null }, [missing, short])).toBe(true);
  const orphan = { kind: "Orphan", columns: ["state"], rule: null } as const;
  expect(isContradicted({ type: "AllowedValues", column: "state" }, [orphan])).toBe(true);
});

test("so is one of the type of the finding's own rule", () => {
  const blank = { ...missing, rule: { type: "Pattern" as const, configuration: {} } };
  expect(isContradicted({ type: "Pattern", column: "email" }, [blank])).toBe(true);
});
