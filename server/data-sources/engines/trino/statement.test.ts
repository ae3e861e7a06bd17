import { expect, test } from "vitest";
import { sentAs } from "./statement.ts";

test("a statement without values is sent as it is, but for a semicolon at its end", () => {
  expect(sentAs({ sql: "select 'a;'\n; -- end;\n;", parameters: [] }).text).toBe("select 'a;'\n  -- end;\n ");
});

test("values are never part of the SQL", () => {
  const parameters = ["it's ?', 1); --", 5, 0.5, -1e300, 2 ** 60, null, true];
  expect(sentAs({ sql: "select '?', ?", parameters }).text).toBe(
    "execute immediate 'select ''?'', ?' using 'it''s ?'', 1); --', bigint '5', double '0.5', double '-1e+300', " +
      "double '1152921504606847000', null, true",
  );
});

test("places are those of the statement, whatever was sent around it", () => {
  const { text, placeOf } = sentAs({ sql: "select nope, ?", parameters: [1] }, "explain (type validate) ");
  expect(text).toBe("explain (type validate) execute immediate 'select nope, ?' using bigint '1'");
  expect(placeOf({ line: 1, column: text.indexOf("nope") + 1 })).toEqual({ line: 1, column: 8 });
  expect(placeOf({ line: 2, column: 3 })).toEqual({ line: 2, column: 3 });
  expect(placeOf({ line: 1, column: 2 })).toBeNull();
});
