import { isObject, NotCarriedOver } from "./check.ts";

/** Variables by their name: those that were passed, before those that a file gives a default. */
export type Variables = ReadonlyMap<string, string>;

export function variablesIn(file: unknown, passed: Readonly<Record<string, string>>): Variables {
  const own = isObject(file) && isObject(file.variables) ? file.variables : {};
  const defaults = Object.entries(own).flatMap(([name, value]) => {
    const given = isObject(value) ? value.default : value;
    return ["string", "number", "boolean"].includes(typeof given) ? [[name, String(given)] as const] : [];
  });
  return new Map([...defaults, ...Object.entries(passed)]);
}

const variable = /\$\{\s*(?:var\.)?([\w.]{1,100})\s*\}/g;

/** A value with its variables replaced, also those within. Throws NotCarriedOver for one that has no value. */
export function filled<T>(value: T, variables: Variables): T {
  if (typeof value === "string")
    return value.replace(variable, (_, name: string) => {
      const known = variables.get(name);
      if (known === undefined)
        throw new NotCarriedOver(`Uses the variable ${name}, which was given no value`);
      return known;
    }) as T;
  if (Array.isArray(value)) return value.map((each) => filled(each, variables)) as T;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    filled(key, variables),
    filled(each, variables),
  ]);
  return Object.fromEntries(entries) as T;
}
