import pino, { type Logger, type LoggerOptions } from "pino";
import { withSources } from "./sources-in-stack.ts";
import { traceId } from "./tracing.ts";
import { workContext } from "./work-context.ts";

/**
 * The service's log: one JSON object per line, on standard output. Routine work is `debug`, so that a healthy service
 * is quiet; what an operator should know is `info` and above.
 *
 * Secrets never reach it: known names are redacted (three levels deep), and raw keys and passwords in URLs are removed
 * from the finished line, wherever they are.
 */
const secretNames = [
  "password",
  "passwordHash",
  "secret",
  "secretHeaders",
  "secretAccessKey",
  "sessionToken",
  "serviceAccountKey",
  "signingSecret",
  "rawKey",
  "apiKey",
  "token",
  "authorization",
  "cookie",
  '["set-cookie"]',
];

export const logOptions: LoggerOptions = {
  level: process.env.LOG_LEVEL || "info",
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (level) => ({ level }) },
  serializers: { err: describeError },
  mixin: whereItHappened,
  redact: {
    paths: ["", "*", "*.*"].flatMap((depth) =>
      secretNames.map((name) => (depth && !name.startsWith("[") ? `${depth}.${name}` : depth + name)),
    ),
    censor: "[redacted]",
  },
  hooks: { streamWrite: withoutSecrets },
};

export const log: Logger = pino(logOptions);

/** The request or job that a line belongs to, if any; the line's own properties come first. */
function whereItHappened(): Record<string, unknown> {
  const { requestId, principal, job, run } = workContext() ?? {};
  const trace = traceId();
  return {
    ...(requestId !== undefined && { requestId }),
    ...(principal && { principal }),
    ...(job !== undefined && { job, run }),
    ...(trace !== undefined && { traceId: trace }),
  };
}

/** Removes raw API keys, bearer credentials, and passwords in URLs. */
export function withoutSecrets(line: string): string {
  return line
    .replace(/sk-svc_[A-Za-z0-9_-]+/g, "sk-svc_[redacted]")
    .replace(/(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, "$1[redacted]")
    .replace(/(:\/\/[^\s/:@"]*):[^\s/@"]+@/g, "$1:[redacted]@");
}

type Described = {
  type: string;
  message: string;
  code?: string | undefined;
  stack?: string | undefined;
  cause?: Described | undefined;
};

/** An error without the values that were bound to a failed query: they may be secrets. */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const message = error.message.replace(/\nparams: [\s\S]*$/, "\nparams: [redacted]");
  return {
    type: error.name,
    message,
    code: "code" in error ? String(error.code) : undefined,
    stack: error.stack && withSources(error.stack.replace(error.message, () => message)),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
