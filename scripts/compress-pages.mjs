/**
 * Writes each script and style of the pages a second time, compressed by Brotli: a tenth less than by gzip, and nothing to
 * compress when it is asked for. They are sent by server/process/compressed-files.ts.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const folder = join(import.meta.dirname, "../.next/static");
const compressed = promisify(brotliCompress);
/** Below this size, it saves less than a packet. */
const least = 1024;
/** The best one takes more than twice as long for two hundredths less. */
const quality = 10;
/** As many as Node compresses at once. */
const atOnce = 4;

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(js|css)$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

async function compressNext() {
  for (let file = files.pop(); file !== undefined; file = files.pop()) {
    const content = readFileSync(file);
    if (content.length < least) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    writeFileSync(`${file}.br`, await compressed(content, { params }));
  }
}
await Promise.all(Array.from({ length: atOnce }, compressNext));
