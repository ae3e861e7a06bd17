import type { PatchOperation } from "./schema.ts";
import { ScimError } from "./scim-error.ts";

/** A resource as JSON, with the names that this service knows. */
export type Resource = Record<string, unknown>;

/**
 * Applies a PATCH to a resource and returns the new one (RFC 7644, 3.5.2). `known` are the attributes that can change;
 * others are ignored, since providers send what they are configured to. Understands what Entra ID and Okta send: names in
 * any case, values without a path, paths as keys of a value (`{"name.givenName": "Ada"}`), a condition in the path
 * (`emails[type eq "work"].value`, `members[value eq "7"]`), and members to remove as a value. Throws invalidPath,
 * invalidValue, and noTarget as SCIM has them.
 */
export function applyPatch(
  resource: Resource,
  operations: readonly PatchOperation[],
  known: readonly string[],
): Resource {
  const changed = structuredClone(resource);
  for (const operation of operations)
    for (const { path, value } of targetsOf(operation)) apply(changed, operation.op, path, value, known);
  return changed;
}

type Target = { path: Path; value: unknown };
type Path = { attribute: string; condition: { attribute: string; value: string } | null; sub: string | null };

function targetsOf({ op, path, value }: PatchOperation): Target[] {
  if (path !== undefined) return [{ path: readPath(path), value }];
  if (op === "remove") throw new ScimError(400, "A remove operation needs a path", "invalidPath");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new ScimError(400, "Without a path, the value must be an object", "invalidValue");
  return Object.entries(value)
    .filter(([name]) => name !== "schemas")
    .map(([name, each]) => ({ path: readPath(name), value: each }));
}

/** `name.givenName`, `emails[type eq "work"].value`, optionally after a schema's URI. */
function readPath(text: string): Path {
  const match =
    /^(?:urn:[\w.:]+:2\.0:\w+:)?([a-z$]\w*)(?:\[\s*(\w+)\s+eq\s+(?:"([^"]*)"|(true|false|\d+))\s*\])?(?:\.([a-z]\w*))?$/i.exec(
      text.trim(),
    );
  const [, attribute, by, quoted, plain, sub] = match ?? [];
  if (!attribute) throw new ScimError(400, `The path ${text.slice(0, 100)} is not supported`, "invalidPath");
  const condition = by === undefined ? null : { attribute: by, value: quoted ?? plain ?? "" };
  return { attribute, condition, sub: sub ?? null };
}

function apply(
  resource: Resource,
  op: PatchOperation["op"],
  { attribute, condition, sub }: Path,
  value: unknown,
  known: readonly string[],
): void {
  const name = known.find((each) => each.toLowerCase() === attribute.toLowerCase());
  if (!name) return;
  const current = resource[name];
  if (condition) {
    resource[name] = applyToElements(listOf(current), op, condition, sub, value);
    return;
  }
  if (sub) {
    const inner = typeof current === "object" && current !== null && !Array.isArray(current) ? current : {};
    resource[name] =
      op === "remove" ? without(inner as Resource, sub) : withValue(inner as Resource, sub, value);
    return;
  }
  if (Array.isArray(current) || isListName(name)) {
    resource[name] = changedList(listOf(current), op, value);
    return;
  }
  if (op === "remove") delete resource[name];
  else if (isObject(current) && isObject(value)) resource[name] = { ...current, ...value };
  else resource[name] = value;
}

const isListName = (name: string) => name === "members" || name === "emails";
const isObject = (value: unknown): value is Resource =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Resource[] => (Array.isArray(value) ? (value as Resource[]) : []);

const keyIn = (object: Resource, name: string) =>
  Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
const withValue = (object: Resource, name: string, value: unknown) => ({
  ...object,
  [keyIn(object, name)]: value,
});
function without(object: Resource, name: string): Resource {
  const { [keyIn(object, name)]: _, ...rest } = object;
  return rest;
}

function applyToElements(
  list: Resource[],
  op: PatchOperation["op"],
  condition: { attribute: string; value: string },
  sub: string | null,
  value: unknown,
): Resource[] {
  const fits = (element: Resource) =>
    String(element[keyIn(element, condition.attribute)] ?? "").toLowerCase() ===
    condition.value.toLowerCase();
  if (op === "remove")
    return sub === null
      ? list.filter((element) => !fits(element))
      : list.map((element) => (fits(element) ? without(element, sub) : element));
  const change = (element: Resource): Resource =>
    sub === null ? { ...element, ...(isObject(value) ? value : {}) } : withValue(element, sub, value);
  // Providers replace the address of a type that the user did not have yet.
  if (!list.some(fits)) return [...list, change({ [condition.attribute]: condition.value })];
  return list.map((element) => (fits(element) ? change(element) : element));
}

/** Elements are the same if their values are. */
function changedList(list: Resource[], op: PatchOperation["op"], value: unknown): Resource[] {
  const given = value === undefined || value === null ? null : [value].flat();
  if (given !== null && !given.every(isObject))
    throw new ScimError(400, "The value must be an object or a list of objects", "invalidValue");
  const elements = (given ?? []) as Resource[];
  if (op === "remove")
    return given === null ? [] : list.filter((each) => !elements.some(({ value }) => value === each.value));
  if (op === "replace") return elements;
  return [...list, ...elements.filter(({ value }) => !list.some((each) => each.value === value))];
}
