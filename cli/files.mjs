import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** @param {string} file */
export function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`${file} cannot be read (${codeOf(error)})`);
  }
}

/**
 * @param {string} file
 * @param {string} text
 */
export function write(file, text) {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Error(`${file} cannot be written (${codeOf(error)})`);
  }
}

/**
 * The files among the given ones, and those in the given folders with one of the endings, in order.
 * @param {readonly string[]} targets
 * @param {readonly string[]} endings
 */
export function filesIn(targets, endings) {
  const found = targets.flatMap((target) => {
    if (!isFolder(target)) return target;
    const inside = readdirSync(target, { recursive: true }).map(String);
    const fitting = inside.filter((name) => endings.some((ending) => name.toLowerCase().endsWith(ending)));
    // Where the target itself lies makes no difference.
    const seen = fitting.filter((name) => !/(^|[\\/])(node_modules|\.[^\\/.][^\\/]*)[\\/]/.test(name));
    const files = seen.map((name) => join(target, name)).filter((name) => !isFolder(name));
    if (files.length === 0) throw new Error(`${target} has no ${endings.join(" or ")} file`);
    return files.sort();
  });
  return [...new Set(found)];
}

/** @param {string} path */
function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new Error(`${path} cannot be read (${codeOf(error)})`);
  }
}

/** @param {unknown} error */
const codeOf = (error) => /** @type {{ code?: string }} */ (error).code ?? String(error);
