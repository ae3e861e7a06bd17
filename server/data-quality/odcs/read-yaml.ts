import { fork } from "node:child_process";
import path from "node:path";
import { Problem } from "../../errors.ts";
import type { YamlAnswer } from "./yaml-process.ts";

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
  const answer = await askProcess(text);
  if ("value" in answer) return answer.value;
  throw notReadable(answer.errors);
}

const notReadable = (errors: { path: string; message: string }[]) =>
  new Problem("invalid", "The body is not YAML that can be read", { errors });

function askProcess(text: string): Promise<YamlAnswer> {
  const { NODE_ENV, SystemRoot } = process.env;
  // The bundler would look for it when the pages are built; it is loaded as it is.
  const child = fork(
    /* turbopackIgnore: true */ path.join(process.cwd(), "server/data-quality/odcs/yaml-process.ts"),
    [],
    {
      execArgv: [`--max-old-space-size=${limits.heapMb}`, "--import", "tsx"],
      // None of the service's secrets are in there.
      env: { NODE_ENV, ...(SystemRoot && { SystemRoot }) },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    },
  );
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => tooLate.reject(notReadable([{ path: "", message: "takes too long to read" }])),
    limits.timeoutMs,
  );
  const answer = new Promise<YamlAnswer>((resolve, reject) => {
    child.once("message", (message) => resolve(message as YamlAnswer));
    child.once("error", reject);
    // It had an answer for everything that it could foresee.
    child.once("exit", () => reject(notReadable([{ path: "", message: "takes too much memory to read" }])));
    child.send(text, (error) => error && reject(error));
  });
  return Promise.race([answer, tooLate.promise]).finally(() => {
    clearTimeout(timer);
    child.kill("SIGKILL");
  });
}
