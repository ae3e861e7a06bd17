import { describe, expect, test } from "vitest";
import { z } from "zod";
import { jsonSchemaOf, schemaWithout, valueWithout } from "./json-schema.ts";

const id = z.int().min(1).max(2_147_483_647);

describe("what a tool takes", () => {
  test("keeps bounds that say something, words and descriptions, and no bounds of the type", () => {
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
        page: { type: "integer", default: 0 },
        rows: { type: "integer", minimum: 1, maximum: 1000 },
        least: { type: "number", minimum: 5 },
        order: { type: ["string", "null"], enum: ["Asc", "Desc", null], description: "Which way" },
        name: { type: "string" },
      },
      required: ["id", "rows", "least", "name"],
    });
  });
});

describe("what a tool answers", () => {
  test("is told in place, in few words, with null among the types and alternatives as one", () => {
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
    const personTold = { id: { type: "integer" }, name: { type: "string" } };
    expect(jsonSchemaOf(output, "output")).toEqual({
      type: "object",
      properties: {
        author: { properties: personTold },
        reader: { type: ["object", "null"], properties: personTold },
        at: { type: ["string", "null"] },
        cell: { type: ["string", "number", "null"] },
        row: { items: {} },
        parts: {
          items: {
            properties: {
              kind: { type: "string" },
              size: { type: ["integer", "string"] },
              same: { type: ["string", "null"] },
            },
          },
        },
      },
    });
  });

  test("is left out by its path, through lists, from the schema and from the value alike", () => {
    const output = z.object({
      name: z.string(),
      items: z.array(z.object({ id, key: z.string(), user: z.object({ id, name: z.string() }).nullable() })),
    });
    const paths = ["name", "items.key", "items.user.id", "nothing.at.all"];
    const schema = schemaWithout(jsonSchemaOf(output, "output"), paths);
    expect(schema.properties).toEqual({
      items: {
        items: {
          properties: {
            id: { type: "integer" },
            user: { type: ["object", "null"], properties: { name: { type: "string" } } },
          },
        },
      },
    });
    const value = {
      name: "n",
      items: [
        { id: 1, key: "k", user: { id: 2, name: "Ada" } },
        { id: 3, key: "l", user: null },
      ],
    };
    expect(valueWithout(value, paths)).toEqual({
      items: [
        { id: 1, user: { name: "Ada" } },
        { id: 3, user: null },
      ],
    });
    expect(value.items[0]).toHaveProperty("key");
  });
});
