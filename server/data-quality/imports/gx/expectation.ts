import { plainNumber } from "../limit.ts";

/** It cannot be carried over; the message is the reason. */
export class NotCarriedOver extends Error {}

/** An expectation's arguments. */
export class Arguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
    const parameter = Object.entries(values).find(
      ([, value]) => typeof value === "object" && value !== null && "$PARAMETER" in value,
    );
    if (parameter)
      throw new NotCarriedOver(
        `Its ${parameter[0]} is a parameter, which has a value only when it is evaluated`,
      );
  }

  get(key: string): unknown {
    return this.#values[key];
  }

  has(key: string): boolean {
    const value = this.#values[key];
    return value !== undefined && value !== null;
  }

  text(key: string): string {
    const value = this.#values[key];
    if (typeof value !== "string" || value === "") throw new NotCarriedOver(`Has no ${key}`);
    return value;
  }

  /** A number as it is written; null without one. */
  number(key: string): string | null {
    if (!this.has(key)) return null;
    const text = String(this.#values[key]);
    if (typeof this.#values[key] === "object" || !plainNumber.test(text))
      throw new NotCarriedOver(`Its ${key} is not a number`);
    return text;
  }

  flag(key: string, otherwise = false): boolean {
    const value = this.#values[key];
    return typeof value === "boolean" ? value : otherwise;
  }

  list(key: string): unknown[] {
    const value = this.#values[key];
    if (!Array.isArray(value) || value.length === 0) throw new NotCarriedOver(`Has no ${key}`);
    return value;
  }

  texts(key: string): string[] {
    const list = this.list(key);
    if (!list.every((each) => typeof each === "string"))
      throw new NotCarriedOver(`Its ${key} is not a list of texts`);
    return list as string[];
  }
}
