import { spawn } from "node:child_process";

/** What a program writes to its output. Its errors go where ours go. */
export function outputOf(program: string, args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (part) => {
    said += part;
  });
  child.on("error", reject);
  child.on("close", () => resolve(said));
  return promise;
}
