import path from "node:path";
import { Worker } from "node:worker_threads";
import { Problem } from "../../errors.ts";
import type { YamlAnswer } from "./yaml-worker.ts";

const limits = { timeoutMs: 10_000, heapMb: 512 };

/** One after the other: several large texts at once would only be slower together. */
let last: Promise<unknown> = Promise.resolve();

/**
 * A YAML text as a value that JSON could hold. Throws invalid, with the line, for what is no YAML, and for what is
 * made to take long or to grow: anchors that multiply, keys that come twice, tags, nesting without end.
 */
export function readYaml(text: string): Promise<unknown> {
  const result = last.then(() => readNow(text));
  last = result.catch(() => {});
  return result;
}

async function readNow(text: string): Promise<unknown> {
  const answer = await askWorker(text);
  if ("value" in answer) return answer.value;
  throw notReadable(answer.errors);
}

const notReadable = (errors: { path: string; message: string }[]) =>
  new Problem("invalid", "The body is not YAML that can be read", { errors });

function askWorker(text: string): Promise<YamlAnswer> {
  const worker = new Worker(
    // The bundler would look for it when the pages are built; it is loaded as it is.
    /* turbopackIgnore: true */ path.join(process.cwd(), "server/data-quality/odcs/yaml-worker.ts"),
    {
      workerData: text,
      execArgv: ["--import", "tsx"],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    },
  );
  return new Promise<YamlAnswer>((resolve, reject) => {
    const tooLong = setTimeout(
      () => reject(notReadable([{ path: "", message: "takes too long to read" }])),
      limits.timeoutMs,
    );
    worker.once("message", resolve);
    worker.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? notReadable([{ path: "", message: "takes too much memory to read" }])
          : error,
      ),
    );
    worker.once("exit", () => {
      clearTimeout(tooLong);
      reject(new Error("The worker that reads YAML ended without an answer"));
    });
  }).finally(() => worker.terminate());
}
