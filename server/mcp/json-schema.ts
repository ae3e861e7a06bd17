import { z } from "zod";

/** A JSON Schema of an object, as the protocol wants it: not a reference at its root. */
export type ObjectSchema = {
  type: "object";
  properties: Record<string, object>;
  required?: string[];
  additionalProperties?: boolean;
};

type Json = { [name: string]: unknown };

type Direction = "input" | "output";

/**
 * The JSON Schema of what a Zod object takes or gives. The whole list of tools stands in every conversation, so what
 * costs words and tells an assistant little is left out: patterns and lengths, bounds that are those of the type, and
 * of outputs also all bounds and formats, descriptions (the tool's own says what matters), the words that a text may
 * be, that nothing in them is ever missing, which properties come together in an alternative, and that what has
 * properties is an object, and what has items a list.
 */
export function jsonSchemaOf(schema: z.ZodType, io: Direction): ObjectSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io }) as Json & { $defs?: Record<string, Json> };
  return { ...(shortened(inPlace(root, $defs), io) as ObjectSchema), type: "object" };
}

/** With every reference replaced by what it refers to: most are used once, and then a name costs more. */
function inPlace(node: unknown, definitions: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(node)) return node.map((each) => inPlace(each, definitions));
  if (!isObject(node)) return node;
  const { $ref, ...own } = node;
  const referred = typeof $ref === "string" ? definitions[$ref.split("/").at(-1) ?? ""] : {};
  return mapped({ ...referred, ...own }, (each) => inPlace(each, definitions));
}

const wordy: Record<Direction, readonly string[]> = {
  input: ["$schema", "pattern", "minLength", "maxLength", "id", "propertyNames"],
  output: [
    ...["$schema", "pattern", "minLength", "maxLength", "id", "propertyNames"],
    ...["minimum", "maximum", "format", "required", "enum", "const", "description"],
  ],
};

/** Names of properties are not keywords, so these are walked apart. */
function shortened(node: unknown, io: Direction): unknown {
  if (Array.isArray(node)) return node.map((each) => shortened(each, io));
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(([keyword, value]) => !isWordy(keyword, value, io));
  const short = kept.map(([keyword, value]) =>
    keyword === "properties" && isObject(value)
      ? [keyword, mapped(value, (each) => shortened(each, io))]
      : [keyword, shortened(value, io)],
  );
  const plain = withoutUnion(withoutLowBound(Object.fromEntries(short)), io);
  return io === "output" ? withoutPlainType(plain) : plain;
}

function isWordy(keyword: string, value: unknown, io: Direction): boolean {
  if (wordy[io].includes(keyword)) return true;
  if (keyword === "minimum" || keyword === "maximum") return Math.abs(Number(value)) >= 2 ** 31 - 1;
  return keyword === "additionalProperties" && value === false;
}

/** Identifiers and pages count from 1 or 0, which goes without saying. */
function withoutLowBound(node: Json): Json {
  const { minimum, ...rest } = node;
  return (minimum === 0 || minimum === 1) && rest.maximum === undefined ? rest : node;
}

function withoutPlainType({ type, ...rest }: Json): Json {
  const isPlain =
    (type === "object" && isObject(rest.properties)) || (type === "array" && isObject(rest.items));
  if (type === undefined || isPlain) return rest;
  const isAny =
    Array.isArray(type) && ["string", "number", "boolean", "null"].every((each) => type.includes(each));
  return isAny ? rest : { type, ...rest };
}

/** Alternatives in one schema where that says the same in fewer words, or of outputs nearly the same. */
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

/** The properties of all alternatives; one that several have may be what it is in any of them. */
function ofAll(alternatives: readonly ObjectSchema[]): Record<string, object> {
  const all: Record<string, object> = {};
  for (const { properties } of alternatives)
    for (const [name, property] of Object.entries(properties)) {
      const types = [all[name], property].flatMap((each) => (each as Json | undefined)?.type ?? []);
      const [type, ...more] = new Set(types.flat());
      all[name] = {
        ...property,
        ...(type !== undefined && { type: more.length > 0 ? [type, ...more] : type }),
      };
    }
  return all;
}

/**
 * Without the properties at these paths, such as `items.rules`, whichever way the object is told: by its schema, or
 * as it is. Lists are passed through to what is in them.
 */
export const schemaWithout = (schema: ObjectSchema, paths: readonly string[]): ObjectSchema =>
  paths.reduce((left, path) => droppedFromSchema(left, path.split(".")), schema as Json) as ObjectSchema;

export const valueWithout = (value: object, paths: readonly string[]): Json =>
  paths.reduce((left, path) => dropped(left, path.split(".")) as Json, value as Json);

function droppedFromSchema(node: Json, path: readonly string[]): Json {
  if (isObject(node.items)) return { ...node, items: droppedFromSchema(node.items, path) };
  return isObject(node.properties)
    ? { ...node, properties: within(node.properties, path, droppedFromSchema) }
    : node;
}

function dropped(node: unknown, path: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map((each) => dropped(each, path));
  return isObject(node) ? within(node, path, dropped) : node;
}

function within(
  { ...properties }: Json,
  [first = "", ...deeper]: readonly string[],
  drop: (node: Json, path: readonly string[]) => unknown,
): Json {
  if (deeper.length === 0) delete properties[first];
  else if (first in properties) properties[first] = drop(properties[first] as Json, deeper);
  return properties;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEmpty = (node: object) => Object.keys(node).length === 0;
const mapped = (node: Json, change: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(node).map(([name, value]) => [name, change(value)]));
