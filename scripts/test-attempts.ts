/** How one test ended. */
export type Outcome = { file: string; title: string; state: "passed" | "failed" | "skipped" };

/** One run of a suite. */
export type Attempt = {
  outcomes: Outcome[];
  /** What went wrong outside of any test. Fails the run, whatever a second attempt says. */
  errors: string[];
  /** Messages from tests, printed at the end of the run. */
  remarks: string[];
};

/** More files with failures than this are no coincidence. All tests of a file fail when the process that runs it ends. */
const maxRepeated = 10;

/**
 * The files that are run a second time, because a test in them failed. They are run whole: their tests build on each
 * other.
 */
export function filesToRepeat({ outcomes }: Attempt): string[] {
  const failed = new Set(outcomes.filter(({ state }) => state === "failed").map(({ file }) => file));
  return failed.size > maxRepeated ? [] : [...failed];
}

/**
 * The outcomes of both attempts: the second counts for the files that it ran. `late` are the tests that failed at first
 * and then passed.
 */
export function combined(first: Attempt, second: Attempt): Attempt & { late: Outcome[] } {
  const repeated = new Set(second.outcomes.map(({ file }) => file));
  const key = ({ file, title }: Outcome) => `${file}\n${title}`;
  const open = new Set(second.outcomes.filter(({ state }) => state !== "passed").map(key));
  return {
    outcomes: [...first.outcomes.filter(({ file }) => !repeated.has(file)), ...second.outcomes],
    errors: [...first.errors, ...second.errors],
    remarks: [...first.remarks, ...second.remarks],
    late: first.outcomes.filter(
      (outcome) => outcome.state === "failed" && repeated.has(outcome.file) && !open.has(key(outcome)),
    ),
  };
}

/** As much of Playwright's JSON report as is needed. */
export type PlaywrightReport = { suites: PlaywrightSuite[]; errors: { message?: string }[] };
type PlaywrightSuite = {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { status: string }[] }[];
};

/** @param folder where the files are, which the report leaves out. */
export function playwrightAttempt({ suites, errors }: PlaywrightReport, folder: string): Attempt {
  const outcomesOf = ({ suites = [], specs = [] }: PlaywrightSuite): Outcome[] => [
    ...specs.flatMap(({ title, file, tests }) =>
      tests.map(({ status }) => ({ file: `${folder}/${file}`, title, state: stateOf(status) })),
    ),
    ...suites.flatMap(outcomesOf),
  ];
  return {
    outcomes: suites.flatMap(outcomesOf),
    errors: errors.map(({ message }) => message ?? "unknown error"),
    remarks: [],
  };
}

function stateOf(status: string): Outcome["state"] {
  if (status === "expected") return "passed";
  return status === "skipped" ? "skipped" : "failed";
}
