import { describe, expect, test } from "vitest";
import { z } from "zod";
import { jsonSchemaOf, picked } from "./json-schema.ts";

const id = z.int().min(1).max(2_147_483_647);

describe("input schemas", () => {
  test("keep meaningful bounds, enums, and descriptions, and omit the type's own bounds", () => {
    const input = z.strictObject({
      id,
      page: z.int().min(0).default(0),
      rows: z.int().min(1).max(1000),
      least: z.number().min(5),
      order: z.enum(["Asc", "Desc"]).nullish().meta({ description: "Which way" }),
      name: z.string().min(1).max(200),
    });
    expect(jsonSchemaOf(input, "input")).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        page: { type: "integer" },
        rows: { type: "integer", maximum: 1000 },
        least: { type: "number", minimum: 5 },
        order: { type: ["string", "null"], enum: ["Asc", "Desc", null], description: "Which way" },
        name: { type: "string" },
      },
      required: ["id", "rows", "least", "name"],
    });
  });
});

describe("output schemas", () => {
  test("are inlined and short: names without types, and merged alternatives", () => {
    const person = z.object({ id, name: z.string() }).meta({ id: "PersonOfTest" });
    const output = z.object({
      author: person,
      reader: person.nullable(),
      at: z.iso.datetime().nullable().meta({ description: "When" }),
      cell: z.union([z.string(), z.number(), z.null()]),
      row: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
      parts: z.array(
        z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("One"), size: z.int(), same: z.string().nullable() }),
          z.object({ kind: z.literal("Two"), size: z.string(), same: z.string() }),
        ]),
      ),
    });
    const personTold = { id: {}, name: {} };
    expect(jsonSchemaOf(output, "output")).toEqual({
      type: "object",
      properties: {
        author: { properties: personTold },
        reader: { properties: personTold },
        at: {},
        cell: {},
        row: { items: {} },
        parts: {
          items: {
            properties: {
              kind: {},
              size: {},
              same: {},
            },
          },
        },
      },
    });
  });

  test("are applied to results, through lists and nullable values; objects without properties stay whole", () => {
    const output = z.object({
      items: z.array(z.object({ id, user: z.object({ name: z.string() }).nullable() })),
      configuration: z.record(z.string(), z.unknown()),
    });
    const value = {
      name: "n",
      items: [
        { id: 1, key: "k", user: { id: 2, name: "Ada" } },
        { id: 3, key: "l", user: null },
      ],
      configuration: { column: "a", nested: { deeper: 1 } },
    };
    expect(picked(value, jsonSchemaOf(output, "output"))).toEqual({
      items: [
        { id: 1, user: { name: "Ada" } },
        { id: 3, user: null },
      ],
      configuration: { column: "a", nested: { deeper: 1 } },
    });
    expect(value.items[0]).toHaveProperty("key");
  });
});
