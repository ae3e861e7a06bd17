/** The parts of a run of `npm test`; null omits a part, and an empty list means all of it. */
export type Parts = {
  /** Formatting and lint. */
  lint: boolean;
  /** The type check, and before it the build, which generates the types of the routes. */
  types: boolean;
  /** Paths of tests, for Vitest. */
  unit: string[] | null;
  /** Files of journeys, for Playwright, which runs them on the build. */
  e2e: string[] | null;
};

/**
 * The parts named on the command line: `lint`, `types`, `unit`, `e2e`, a path of a test or a folder of them
 * (`server/jobs`, `components/ui/days.test.ts`), or a journey by its name or file (`keys`, `e2e/keys.spec.ts`).
 * Everything if none are named.
 *
 * @param journeys the names of the existing journeys.
 * @throws Error if a name is unknown.
 */
export function partsOf(named: readonly string[], journeys: readonly string[]): Parts {
  if (named.length === 0) return { lint: true, types: true, unit: [], e2e: [] };
  const parts: Parts = { lint: false, types: false, unit: null, e2e: null };
  const paths: string[] = [];
  const files: string[] = [];
  for (const name of named) {
    const journey = name.replace(/^e2e\//, "").replace(/\.spec\.ts$/, "");
    if (name === "lint" || name === "types") parts[name] = true;
    else if (name === "unit" || name === "e2e") parts[name] = [];
    else if (/^(server|components|cli|scripts|bench)(\/|$)/.test(name)) paths.push(name);
    else if (journeys.includes(journey)) files.push(`e2e/${journey}.spec.ts`);
    else
      throw new Error(
        `There is no part ${name}: name lint, types, unit, e2e, a path in server, components, cli, scripts or bench, or a journey (${journeys.join(", ")})`,
      );
  }
  if (paths.length > 0) parts.unit ??= paths;
  if (files.length > 0) parts.e2e ??= files;
  return parts;
}
