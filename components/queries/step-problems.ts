import type { DraftProblem } from "./query-draft.ts";

/** What is wrong at a path or below it; the first of several. */
export function problemAt(problems: readonly DraftProblem[], path: string): string | undefined {
  return problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}.`))?.message;
}

/** The steps, by their place, with which something is wrong. */
export function stepsWithProblems(problems: readonly DraftProblem[]): Set<number> {
  return new Set(problems.flatMap(({ path }) => /^steps\.(\d+)/.exec(path)?.[1] ?? []).map(Number));
}

/** Problems that no field of the page shows. */
export function homelessProblems(problems: readonly DraftProblem[]): DraftProblem[] {
  return problems.filter(
    ({ path }) =>
      !/^(name|description|folderId|changeSummary|steps\.\d+\.(name|sql|dataSourceId|request\b.*))$/.test(
        path,
      ),
  );
}
