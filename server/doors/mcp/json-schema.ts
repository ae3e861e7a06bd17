import { z } from "zod";

/** A JSON Schema of an object, as the protocol requires: not a reference at its root. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, object>;
  required?: string[];
  additionalProperties?: boolean;
};

type Json = { [name: string]: unknown };

type Direction = "input" | "output";

/**
 * The JSON Schema of a Zod object's input or output. The tool list is part of every conversation, so anything that
 * costs tokens and helps an assistant little is omitted: patterns, lengths, and default bounds; and from outputs also
 * all bounds, formats, descriptions, enum values, `required`, which properties belong to which alternative, and
 * types: an assistant sees what a value is when it gets one.
 */
export function jsonSchemaOf(schema: z.ZodType, io: Direction): ObjectSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io }) as Json & { $defs?: Record<string, Json> };
  const short = shortened(inPlace(root, $defs), io);
  return { ...((io === "output" ? withoutTypes(short) : short) as ObjectSchema), type: "object" };
}

/** Inlines all references: most are used once, and then a name costs more. */
function inPlace(node: unknown, definitions: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(node)) return node.map((each) => inPlace(each, definitions));
  if (!isObject(node)) return node;
  const { $ref, ...own } = node;
  const referred = typeof $ref === "string" ? definitions[$ref.split("/").at(-1) ?? ""] : {};
  return mapped({ ...referred, ...own }, (each) => inPlace(each, definitions));
}

const lengths = ["minLength", "maxLength", "minItems", "maxItems"];
const everywhere = ["$schema", "pattern", "id", "propertyNames", ...lengths];
const wordy: Record<Direction, readonly string[]> = {
  input: everywhere,
  output: [...everywhere, ...["minimum", "maximum", "format", "required", "enum", "const", "description"]],
};

/** Property names are not keywords, so they are walked separately. */
function shortened(node: unknown, io: Direction): unknown {
  if (Array.isArray(node)) return node.map((each) => shortened(each, io));
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(([keyword, value]) => !isWordy(keyword, value, io));
  const short = kept.map(([keyword, value]) =>
    keyword === "properties" && isObject(value)
      ? [keyword, mapped(value, (each) => shortened(each, io))]
      : [keyword, shortened(value, io)],
  );
  return withoutUnion(withoutLowBound(Object.fromEntries(short)), io);
}

function isWordy(keyword: string, value: unknown, io: Direction): boolean {
  if (wordy[io].includes(keyword)) return true;
  if (keyword === "minimum" || keyword === "maximum") return Math.abs(Number(value)) >= 2 ** 31 - 1;
  return keyword === "additionalProperties" && value === false;
}

/** Ids and counts start at 1, pages and shares at 0, which needs no mention; and a list begins with its first page. */
function withoutLowBound(node: Json): Json {
  const { minimum, default: usual, ...rest } = node;
  return {
    ...rest,
    ...(usual !== undefined && usual !== 0 && { default: usual }),
    ...(minimum !== undefined && minimum !== 0 && minimum !== 1 && { minimum }),
  };
}

/** Last of all, because alternatives are merged by their types. Any value may be null, which the instructions say. */
function withoutTypes(node: unknown): unknown {
  if (!isObject(node)) return node;
  const { type: _, properties, items, ...rest } = node;
  return {
    ...(isObject(properties) && { properties: mapped(properties, withoutTypes) }),
    ...(items !== undefined && { items: withoutTypes(items) }),
    ...rest,
  };
}

/** Merges alternatives into one schema if that says the same, or for outputs nearly the same, in fewer tokens. */
function withoutUnion(node: Json, io: Direction): Json {
  const { anyOf, oneOf, ...rest } = node as { anyOf?: Json[]; oneOf?: Json[] };
  const alternatives = anyOf ?? oneOf;
  if (!alternatives) return node;
  const isNull = (each: Json) => each.type === "null";
  const [only, ...others] = alternatives.filter((each) => !isNull(each));
  if (only && others.length === 0) return { ...rest, ...orNull(only) };
  if (alternatives.every(({ type, ...more }) => typeof type === "string" && isEmpty(more)))
    return { ...rest, type: alternatives.map(({ type }) => type) };
  if (io === "output" && alternatives.every(({ properties }) => isObject(properties)))
    return { ...rest, type: "object", properties: ofAll(alternatives as ObjectSchema[]) };
  return node;
}

function orNull({ type = "object", enum: words, ...rest }: Json): Json {
  const types = Array.isArray(type) ? type : [type];
  return { type: [...types, "null"], ...rest, ...(Array.isArray(words) && { enum: [...words, null] }) };
}

/** The properties of all alternatives. */
const ofAll = (alternatives: readonly ObjectSchema[]): Record<string, object> =>
  Object.assign({}, ...alternatives.map(({ properties }) => properties));

/** Keeps the properties that the schema describes, at any depth, and removes the rest. Lists are traversed. */
export function picked(value: unknown, schema: Json): unknown {
  const { properties, items } = schema;
  if (Array.isArray(value)) return isObject(items) ? value.map((each) => picked(each, items)) : value;
  if (!isObject(value) || !isObject(properties)) return value;
  const told: Json = {};
  for (const name of Object.keys(value))
    if (Object.hasOwn(properties, name)) told[name] = picked(value[name], properties[name] as Json);
  return told;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (node: object) => Object.keys(node).length === 0;
const mapped = (node: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value)]));
