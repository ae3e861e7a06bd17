import type { DraftProblem } from "./query-draft.ts";

/** The first problem at a path or below it. */
export function problemAt(problems: readonly DraftProblem[], path: string): string | undefined {
  return problems.find((problem) => problem.path === path || problem.path.startsWith(`${path}.`))?.message;
}

/** The indexes of steps with problems. */
export function stepsWithProblems(problems: readonly DraftProblem[]): Set<number> {
  return new Set(problems.flatMap(({ path }) => /^steps\.(\d+)/.exec(path)?.[1] ?? []).map(Number));
}

/** Problems that no field shows. */
export function unplacedProblems(problems: readonly DraftProblem[]): DraftProblem[] {
  return problems.filter(
    ({ path }) =>
      !/^(name|description|folderId|changeSummary|steps\.\d+\.(name|sql|dataSourceId|request\b.*))$/.test(
        path,
      ),
  );
}
