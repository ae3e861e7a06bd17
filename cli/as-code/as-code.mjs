import { apply, diff } from "./diff-and-apply.mjs";
import { exportFolder } from "./export.mjs";

/**
 * Everything as files in a folder. Returns false if a diff shows anything.
 * @param {import("../arguments.mjs").AsCodeCommand} command
 * @param {Record<string, string | undefined>} environment
 */
export async function asCode(command, environment) {
  if (command.verb === "diff") return diff(command);
  if (command.verb === "apply") await apply(command, environment);
  else await exportFolder(command);
  return true;
}
