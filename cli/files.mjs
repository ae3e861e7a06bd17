import { readFileSync, writeFileSync } from "node:fs";

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

/** @param {unknown} error */
const codeOf = (error) => /** @type {{ code?: string }} */ (error).code ?? String(error);
