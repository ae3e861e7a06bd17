import { z } from "zod";

/** A JSON Schema of an object, as the protocol wants it: not a reference at its root. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, object>;
  required?: string[];
  additionalProperties?: boolean;
  $defs?: Record<string, object>;
};

type Json = { [name: string]: unknown };

type Direction = "input" | "output";

/**
 * The JSON Schema of what a Zod object takes or gives. The whole list of tools stands in every conversation, so what
 * costs words and tells an assistant little is left out: patterns and lengths, bounds that are those of the type, and
 * of outputs also all bounds and formats, the words that a text may be, and that nothing in them is ever missing.
 */
export function jsonSchemaOf(schema: z.ZodType, io: Direction): ObjectSchema {
  const {
    $ref,
    $defs = {},
    ...root
  } = shortened(z.toJSONSchema(schema, { io }), io) as Json & {
    $ref?: string;
    $defs?: Record<string, Json>;
  };
  const name = $ref?.split("/").at(-1) ?? "";
  const { [name]: referred, ...others } = $defs;
  const all = { ...root, ...referred, ...(Object.keys(others).length > 0 && { $defs: others }) };
  return all as unknown as ObjectSchema;
}

const wordy: Record<Direction, readonly string[]> = {
  input: ["$schema", "pattern", "minLength", "maxLength", "id", "propertyNames"],
  output: [
    ...["$schema", "pattern", "minLength", "maxLength", "id", "propertyNames"],
    ...["minimum", "maximum", "format", "required", "enum"],
  ],
};

/** Names of properties are not keywords, so these are walked apart. */
function shortened(node: unknown, io: Direction): unknown {
  if (Array.isArray(node)) return node.map((each) => shortened(each, io));
  if (typeof node !== "object" || node === null) return node;
  const kept = Object.entries(node).filter(([keyword, value]) => !isWordy(keyword, value, io));
  const short = kept.map(([keyword, value]) => {
    const isNamed = keyword === "properties" || keyword === "$defs";
    return [keyword, isNamed ? shortenedEach(value, io) : shortened(value, io)];
  });
  return withoutUnion(Object.fromEntries(short));
}

const shortenedEach = (nodes: object, io: Direction) =>
  Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, shortened(node, io)]));

function isWordy(keyword: string, value: unknown, io: Direction): boolean {
  if (wordy[io].includes(keyword)) return true;
  if (keyword === "minimum" || keyword === "maximum") return Math.abs(Number(value)) >= 2 ** 31 - 1;
  return keyword === "additionalProperties" && value === false;
}

/** `string or null` in one word rather than two alternatives, and one of some words or null likewise. */
function withoutUnion(node: Json): Json {
  const { anyOf, ...rest } = node as { anyOf?: Json[] };
  const isNull = (each: Json) => each.type === "null";
  if (!anyOf?.every(({ type, enum: _, ...more }) => typeof type === "string" && isEmpty(more))) return node;
  const type = anyOf.flatMap((each) => each.type as string);
  const words = anyOf.flatMap((each) => (each.enum as unknown[] | undefined) ?? (isNull(each) ? [null] : []));
  const isOfWords = anyOf.every((each) => each.enum !== undefined || isNull(each));
  if (!isOfWords && anyOf.some((each) => each.enum !== undefined)) return node;
  return { ...rest, type, ...(isOfWords && { enum: words }) };
}

const isEmpty = (node: object) => Object.keys(node).length === 0;
