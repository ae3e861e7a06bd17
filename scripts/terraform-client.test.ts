import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  documentFile,
  documentMark,
  documentText,
  typesFile,
  usedDocument,
  valuesFile,
  valuesGo,
} from "./terraform-client.ts";

const kept = (file: string) => readFileSync(file, "utf8");
/** gofmt aligns what it writes. */
const unaligned = (go: string) => go.replaceAll(/[ \t]+/g, " ");
const hint =
  "the Terraform provider was made for another API: run npm run terraform:client, and see what no longer compiles";

test("the provider's client is of the API that is served", () => {
  expect(kept(documentFile), hint).toBe(documentText());
  expect(unaligned(kept(valuesFile)), hint).toBe(unaligned(valuesGo()));
});

test("its types are of that document", () => {
  expect(kept(typesFile), hint).toContain(documentMark(kept(documentFile)));
});

test("the page begins with the example that is tried", () => {
  const page = kept(join(import.meta.dirname, "../docs/terraform.md"));
  const example = kept(join(dirname(documentFile), "examples/shop/main.tf"));
  expect(/```hcl\n([\s\S]*?)```/.exec(page)?.[1]).toBe(example);
});

test("what may be null is always sent, so that leaving it out does not mean a default", () => {
  const { schemas } = usedDocument().components;
  expect(schemas.ContractWrite).toMatchObject({
    required: expect.arrayContaining(["name", "tableName", "reminderHours", "description"]),
    properties: {
      reminderHours: { type: "integer", format: "int64", nullable: true },
      failureThreshold: { type: "number", format: "double" },
      rules: { type: "array", items: { $ref: "#/components/schemas/ContractWriteRule" } },
    },
  });
  expect(schemas.ContractWrite).not.toMatchObject({ required: expect.arrayContaining(["failureThreshold"]) });
});

test("variants of one thing have the fields of all", () => {
  const { DataSourceWriteConnection: connection } = usedDocument().components.schemas;
  expect(connection).not.toHaveProperty("required");
  expect(Object.keys(connection?.properties as object)).toEqual(
    expect.arrayContaining([
      "host",
      "password",
      "folder",
      "bucket",
      "secretAccessKey",
      "baseUrl",
      "secretHeaders",
    ]),
  );
});
