import { join } from "node:path";
import { outputOf } from "./program.ts";

/** Great Expectations at work on the watched database; all checks must pass. `python` is one that has it. */
export async function gxValidation(python: string, address: string): Promise<void> {
  const url = new URL(address);
  url.protocol = "postgresql+psycopg2:";
  const said = await outputOf(python, [join(import.meta.dirname, "gx-checks.py"), url.href]);
  if (!said.includes("12/12 expectations met"))
    throw new Error(`Great Expectations did not pass all checks:\n${said}`);
}
