import type { FileEvaluation } from "../data-quality/service/evaluate-file.ts";

/**
 * The program behind `npx plumbline contract evaluate --file`: receives a data file and a contract, and reports the
 * results or why there are none. Needs no service and no settings, and stores nothing.
 */
export type ToEvaluate = { file: string; yaml: string; isFull: boolean };
export type FromEvaluate = { say: "result"; evaluation: FileEvaluation } | { say: "failed"; message: string };

// Its output is the command's.
process.env.LOG_LEVEL = "silent";

const say = (message: FromEvaluate) =>
  new Promise<void>((told) =>
    process.send ? process.send(message, undefined, undefined, () => told()) : told(),
  );

process.on("disconnect", () => process.exit());
process.once("message", async (asked: ToEvaluate) => {
  const [{ evaluateFile }, { isSourceError }, { problemIn }] = await Promise.all([
    import("../data-quality/service/evaluate-file.ts"),
    import("../data-sources/engines/engine.ts"),
    import("../errors.ts"),
  ]);
  try {
    await say({ say: "result", evaluation: await evaluateFile(asked) });
  } catch (error) {
    const problem = problemIn(error);
    const [first] = problem?.more.errors ?? [];
    // Anything else is a bug, whose stack helps in a report.
    const message = isSourceError(error)
      ? error.message
      : problem
        ? [problem.message, first && `${first.path} ${first.message}`.trim()].filter(Boolean).join(": ")
        : String((error as Error)?.stack ?? error);
    await say({ say: "failed", message });
  }
  process.exit();
});
