import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Attempt, Outcome } from "./test-attempts.ts";

/** Writes the outcome of a run of Vitest to the file that TEST_REPORT names, for scripts/test.ts. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message?: string }[]) {
    const attempt: Attempt = {
      outcomes: modules.flatMap(outcomesOf),
      errors: errors
        .map(({ message = "unknown error" }) => message)
        .filter((error) => !isExplained(error, modules)),
      remarks: modules
        .flatMap(testsOf)
        .flatMap((test) => (test.meta() as { summary?: string }).summary ?? []),
    };
    writeFileSync(process.env.TEST_REPORT ?? "", JSON.stringify(attempt));
  }
}

const testsOf = (module: TestModule): TestCase[] => [...module.children.allTests()];

const isUnfinished = (module: TestModule) => ["queued", "pending"].includes(module.state());

/** That a process ended is the failure of the file that it ran. */
const isExplained = (error: string, modules: readonly TestModule[]) =>
  /^\[vitest-pool\]: Worker \w+ emitted error/.test(error) && modules.some(isUnfinished);

function outcomesOf(module: TestModule): Outcome[] {
  const file = relative(process.cwd(), module.moduleId).replaceAll("\\", "/");
  const outcomes = testsOf(module).map((test): Outcome => {
    const { state } = test.result();
    // One that is still pending was in a process that ended.
    return { file, title: test.fullName, state: state === "pending" ? "failed" : state };
  });
  // A file that cannot be loaded has no tests that could fail.
  if ((!module.ok() || isUnfinished(module)) && outcomes.every(({ state }) => state !== "failed"))
    outcomes.push({ file, title: "the file itself", state: "failed" });
  return outcomes;
}
