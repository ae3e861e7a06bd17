import type { Json, SourceRequest } from "../data-sources/engines/engine.ts";
import { pathFault } from "../data-sources/engines/rest-api/path.ts";
import { type FieldError, Problem } from "../errors.ts";
import type { ParameterValue } from "./schema.ts";

/** A `{{name}}`, or what begins like one and is not. */
const written = /\{\{(?:\s*([A-Za-z_][A-Za-z0-9_]{0,99})\s*\}\})?/g;

/**
 * Inserts parameter values into a request: in the path, encoded, as a segment or part of one; in the query, as text; in
 * the body, as the JSON value if a string consists of the placeholder alone, and otherwise as text. A value cannot add
 * a path segment or a query parameter. NULL within a text is empty; a query parameter that is just NULL is left out.
 * Throws invalid, with the path of the problem, for missing values, unknown values, and values that are invalid in a
 * path.
 */
export function bindRequest(
  request: SourceRequest,
  given: Readonly<Record<string, ParameterValue>>,
): SourceRequest {
  const binder = new Binder(given);
  const path = binder.path(request.path);
  const query = request.query && binder.query(request.query);
  const body = request.body === undefined ? undefined : binder.json(request.body, "request.body");
  if (request.rowsPath !== undefined) binder.rejectIn(request.rowsPath, "request.rowsPath");
  binder.rejectFaults();
  return { ...request, path, ...(query && { query }), ...(body !== undefined && { body }) };
}

class Binder {
  readonly #given: Readonly<Record<string, ParameterValue>>;
  readonly #used = new Set<string>();
  readonly #errors: FieldError[] = [];

  constructor(given: Readonly<Record<string, ParameterValue>>) {
    this.#given = given;
  }

  path(template: string): string {
    const fault = pathFault(template.replace(written, "x"));
    if (fault !== null) this.#errors.push({ path: "request.path", message: fault });
    return template
      .split("/")
      .map((part) => {
        const names = [...part.matchAll(written)].flatMap(([, name]) => name ?? []);
        const encoded = (value: ParameterValue) => encodeURIComponent(textOf(value).toWellFormed());
        const bound = this.#replaced(part, "request.path", encoded);
        const [name] = names;
        if (name === undefined) return bound;
        const wrong = bound === "" ? "must not be empty: it is part of the path" : pathFault(bound);
        if (wrong !== null && Object.hasOwn(this.#given, name))
          this.#errors.push({ path: `parameters.${name}`, message: wrong });
        return bound;
      })
      .join("/");
  }

  query(template: Readonly<Record<string, string>>): Record<string, string> {
    const bound: [string, string][] = [];
    for (const [name, text] of Object.entries(template)) {
      this.rejectIn(name, "request.query");
      const alone = this.#aloneIn(text, `request.query.${name}`);
      if (alone?.value === null) continue;
      bound.push([name, this.#replaced(text, `request.query.${name}`, textOf)]);
    }
    return Object.fromEntries(bound);
  }

  json(template: Json, at: string): Json {
    if (typeof template === "string") {
      const alone = this.#aloneIn(template, at);
      return alone ? alone.value : this.#replaced(template, at, textOf);
    }
    if (isArray(template)) return template.map((each, index) => this.json(each, `${at}.${index}`));
    if (typeof template !== "object" || template === null) return template;
    const members = Object.entries(template).map(([name, each]) => {
      this.rejectIn(name, at);
      return [name, this.json(each, `${at}.${name}`)] as const;
    });
    return Object.fromEntries(members);
  }

  /** Positions where nothing can be bound. */
  rejectIn(text: string, at: string): void {
    const found = [...text.matchAll(written)].find(([, name]) => name !== undefined)?.[0];
    if (found) this.#errors.push({ path: at, message: `has ${found} in a name: it cannot be bound` });
  }

  rejectFaults(): void {
    for (const name of Object.keys(this.#given))
      if (!this.#used.has(name))
        this.#errors.push({ path: `parameters.${name}`, message: "is not in the request" });
    const [first] = this.#errors;
    if (first) throw new Problem("invalid", `${first.path} ${first.message}`, { errors: this.#errors });
  }

  /** The value, if the text is a single placeholder and nothing else. */
  #aloneIn(text: string, at: string): { value: ParameterValue } | null {
    const [only] = text.matchAll(written);
    if (only?.[1] === undefined || only[0] !== text) return null;
    return { value: this.#valueOf(only[1], at) };
  }

  #replaced(text: string, at: string, asText: (value: ParameterValue) => string): string {
    return text.replace(written, (_, name?: string) => asText(this.#valueOf(name, at)));
  }

  #valueOf(name: string | undefined, at: string): ParameterValue {
    if (name === undefined) {
      this.#errors.push({
        path: at,
        message: "contains {{ without a name and }}: write parameters as {{name}}",
      });
      return null;
    }
    const isGiven = Object.hasOwn(this.#given, name);
    if (!isGiven && !this.#used.has(name))
      this.#errors.push({ path: `parameters.${name}`, message: "is required by the request" });
    this.#used.add(name);
    return isGiven ? (this.#given[name] ?? null) : null;
  }
}

const textOf = (value: ParameterValue): string => (value === null ? "" : String(value));

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);
