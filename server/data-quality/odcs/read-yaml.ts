import { Problem } from "../../errors.ts";
import { startProgram } from "../../program-files.ts";
import type { YamlAnswer } from "./yaml-process.ts";

const limits = { timeoutMs: 10_000, heapMb: 512 };

/** One at a time: parsing several large texts at once would only slow each down. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Parses YAML to a value that JSON can represent. Throws invalid, with the line, for invalid YAML and for anything
 * designed to take long or grow: multiplying anchors, duplicate keys, tags, and deep nesting. If it is one of several
 * files, its errors name it.
 */
export function readYaml(text: string, file?: string): Promise<unknown> {
  const result = last.then(() => readNow(text, file));
  last = result.catch(() => {});
  return result;
}

async function readNow(text: string, file: string | undefined): Promise<unknown> {
  const answer = await askProcess(text);
  if ("value" in answer) return answer.value;
  throw notReadable(answer.errors, file);
}

function notReadable(errors: { path: string; message: string }[], file?: string): Problem {
  if (file === undefined) return new Problem("invalid", "The body is not valid YAML", { errors });
  const named = errors.map(({ path, message }) => ({
    path: path === "" ? file : `${file}: ${path}`,
    message,
  }));
  return new Problem("invalid", "A file is not valid YAML", { errors: named });
}

function askProcess(text: string): Promise<YamlAnswer> {
  const child = startProgram("data-quality/odcs/yaml-process", { heapMb: limits.heapMb });
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => tooLate.reject(notReadable([{ path: "", message: "takes too long to read" }])),
    limits.timeoutMs,
  );
  const answer = new Promise<YamlAnswer>((resolve, reject) => {
    child.once("message", (message) => resolve(message as YamlAnswer));
    child.once("error", reject);
    // Foreseeable errors arrive as messages, so this is a crash, most likely for lack of memory.
    child.once("exit", () => reject(notReadable([{ path: "", message: "takes too much memory to read" }])));
    child.send(text, (error) => error && reject(error));
  });
  return Promise.race([answer, tooLate.promise]).finally(() => {
    clearTimeout(timer);
    child.kill("SIGKILL");
  });
}
