import pino from "pino";
import { log } from "../telemetry/log.ts";

/** Everything that the service logs from now on in this test file, as the lines that would be written. */
export function captureLog(): string[] {
  const lines: string[] = [];
  const stream = (log as unknown as Record<symbol, { write(line: string): unknown }>)[pino.symbols.streamSym];
  if (!stream) throw new Error("The log has no stream");
  stream.write = (line) => lines.push(line);
  log.level = "trace";
  return lines;
}
