import type { Path } from "./reading.ts";

/** What a file says that has no counterpart here: where it stands, and why it is not kept. */
export type Unmapped = { path: string; reason: string };

/** So many are named; of the rest the number is said. */
const most = 1000;

const reasons: Readonly<Record<string, string>> = {
  required: "Describes the table and is no rule: a nullValues check that must be 0 is one",
  unique: "Describes the table and is no rule: a duplicateValues check that must be 0 is one",
  primaryKey: "Describes the table and is no rule: duplicateValues and nullValues checks are",
  logicalTypeOptions: "Describes the table and is no rule: an invalidValues check is one",
  relationships: "Describes the table and is no rule: a check of the engine plumbline can be",
  servers: "The data source is chosen when the file is imported",
};
const otherwise = "Has no counterpart in a contract here";

/** Collects them while a file is read. */
export class UnmappedParts {
  readonly #found: Unmapped[] = [];
  #more = 0;

  add(path: Path, reason: string): void {
    if (this.#found.length < most) this.#found.push({ path: path.join("."), reason });
    else this.#more += 1;
  }

  /** Whatever an object says beside the properties that are read; what is empty or false says nothing. */
  addOthers(value: object, known: readonly string[], path: Path): void {
    for (const [key, each] of Object.entries(value))
      if (!known.includes(key) && !saysNothing(each)) this.add([...path, key], reasons[key] ?? otherwise);
  }

  all(): Unmapped[] {
    const rest = { path: "", reason: `And ${this.#more} more that are not named here` };
    return this.#more === 0 ? [...this.#found] : [...this.#found, rest];
  }
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
