/** What a number of problems are counted as: watched tables have no check. Pure; the browser loads this file too. */
export function problemNoun(areOfTables: readonly boolean[]): "check" | "table" | "problem" {
  if (!areOfTables.includes(true)) return "check";
  return areOfTables.includes(false) ? "problem" : "table";
}
