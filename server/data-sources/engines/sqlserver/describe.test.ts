import { expect, test } from "vitest";
import { describing } from "./describe.ts";

test("parameters are declared with the types they are bound with", () => {
  const values = [true, 7, 9007199254740991, 0.5, 1e300, null, "x", "x".repeat(4000), "x".repeat(4001)];
  const sql = "select @p1, @p9 -- 'x'";
  expect(describing({ sql, parameters: values })).toEqual({
    sql: "exec sys.sp_describe_first_result_set @tsql = @p1, @params = @p2",
    parameters: [
      sql,
      "@p1 bit, @p2 bigint, @p3 bigint, @p4 float, @p5 float, @p6 nvarchar(4000), @p7 nvarchar(4000), " +
        "@p8 nvarchar(4000), @p9 nvarchar(max)",
    ],
  });
  expect(describing({ sql: "select 1", parameters: [] }).parameters).toEqual(["select 1", null]);
});
