import { createReadStream, readdirSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, relative } from "node:path";
import { pipeline } from "node:stream";
import { log } from "../telemetry/log.ts";
import { takes } from "./web-bridge.ts";

const types: Readonly<Record<string, string>> = {
  js: "application/javascript; charset=UTF-8",
  css: "text/css; charset=UTF-8",
};
const ending = /\.(js|css)\.br$/;

type Compressed = { file: string; size: number; type: string };

/**
 * Sends the pages' scripts and styles as scripts/compress-pages.mjs has compressed them. Returns whether it did: not to who
 * takes no Brotli, and not for anything else. The names of these files tell their content, so that they are kept for good.
 */
export function compressedFiles(
  root: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const known = filesIn(join(root, ".next/static"));
  return (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const found = isRead ? known.get(request.url?.split("?", 1)[0] ?? "") : undefined;
    if (!found || !takes(request, "br")) return false;
    response.writeHead(200, {
      "content-type": found.type,
      "content-encoding": "br",
      "content-length": found.size,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    if (request.method === "HEAD") response.end();
    else
      pipeline(createReadStream(found.file), response, (err) => {
        // The client may go before everything is sent.
        if (err && err.code !== "ERR_STREAM_PREMATURE_CLOSE")
          log.error({ err, file: found.file }, "A file of the pages could not be sent");
      });
    return true;
  };
}

/** By the path at which they are asked for. None before the first build. */
function filesIn(folder: string): ReadonlyMap<string, Compressed> {
  const found = new Map<string, Compressed>();
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return found;
  }
  for (const name of names) {
    const type = types[ending.exec(name)?.[1] ?? ""];
    if (!type) continue;
    const file = join(folder, name);
    const path = `/_next/static/${relative(folder, file).replaceAll("\\", "/").replace(/\.br$/, "")}`;
    found.set(path, { file, size: statSync(file).size, type });
  }
  return found;
}
