import type { Path } from "./reading.ts";

/** Parts of a file without an equivalent here: their path, and why they are dropped. */
export type Unmapped = { path: string; reason: string };

/** The maximum number listed; the rest are counted. */
const maxEntries = 1000;

const reasons: Readonly<Record<string, string>> = {
  required: "Describes the table but is not a rule; use a nullValues check that must be 0",
  unique: "Describes the table but is not a rule; use a duplicateValues check that must be 0",
  primaryKey: "Describes the table but is not a rule; use duplicateValues and nullValues checks",
  logicalTypeOptions: "Describes the table but is not a rule; use an invalidValues check",
  relationships: "Describes the table but is not a rule; a check with the engine plumbline can express it",
  servers: "The data source is chosen when the file is imported",
};
const otherwise = "Has no equivalent in a contract";

/** Collects them while a file is read. */
export class UnmappedParts {
  readonly #found: Unmapped[] = [];
  #more = 0;

  add(path: Path, reason: string): void {
    if (this.#found.length < maxEntries) this.#found.push({ path: path.join("."), reason });
    else this.#more += 1;
  }

  /** An object's properties other than the ones that are read, ignoring empty and false ones. */
  addOthers(value: object, known: readonly string[], path: Path): void {
    for (const [key, each] of Object.entries(value))
      if (!known.includes(key) && !saysNothing(each)) this.add([...path, key], reasons[key] ?? otherwise);
  }

  all(): Unmapped[] {
    const rest = { path: "", reason: `And ${this.#more} more` };
    return this.#more === 0 ? [...this.#found] : [...this.#found, rest];
  }
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
