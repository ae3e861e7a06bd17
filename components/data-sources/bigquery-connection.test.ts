import { expect, test } from "vitest";
import { createDataSourceInput } from "@/server/data-sources/schema.ts";
import { connectionOf, emptyFields, fieldsOf, isAmount, projectOfKey } from "./bigquery-connection.ts";

const key = '{"type":"service_account"}';

test("what is filled in is a connection, and is filled in again from it", () => {
  const fields = { ...emptyFields, billingProject: "acme-dw", location: " EU ", serviceAccountKey: key };
  const connection = connectionOf(fields, undefined);
  expect(connection).toEqual({
    billingProject: "acme-dw",
    maxBytesBilled: 10_000_000_000,
    ...{ location: "EU", serviceAccountKey: key },
  });
  const given = { projectId: 1, name: "Sales", kind: "BigQuery", connection };
  expect(createDataSourceInput.parse(given).connection).toEqual(connection);
  const { serviceAccountKey: _, ...stored } = connection;
  expect(fieldsOf(stored, [])).toEqual({ ...fields, location: "EU", serviceAccountKey: "" });
});

test("a key that stays where it is kept is not sent again", () => {
  const reference = "{{vault:kv/google#key}}";
  const fields = { ...emptyFields, billingProject: "acme-dw", serviceAccountKey: reference };
  expect(connectionOf(fields, reference)).not.toHaveProperty("serviceAccountKey");
  expect(connectionOf(fields, undefined)).toHaveProperty("serviceAccountKey", reference);
});

test("the limit is an amount that BigQuery can bill", () => {
  expect(["10", "0.1", "1000000"].map(isAmount)).toEqual([true, true, true]);
  expect(["0.09", "", "ten", "-1", "1000001"].map(isAmount)).toEqual([false, false, false, false, false]);
});

test("a key file says its project", () => {
  expect(projectOfKey('{"type": "service_account", "project_id": "acme-dw"}')).toBe("acme-dw");
  expect(["", "{", "null", "[]", '{"project_id": 1}'].map(projectOfKey)).toEqual(Array(5).fill(null));
});
