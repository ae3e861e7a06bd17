import type { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Context, Span, SpanKind, Tracer } from "@opentelemetry/api";

/**
 * OpenTelemetry spans, created by hand where someone may wait for work. Without an exporter address nothing of
 * OpenTelemetry is loaded, and `traced` only does the work (start-tracing.ts).
 *
 * The spans are only this service's own: no provider is registered for the process, because spans of libraries contain
 * URLs, SQL, and prompts. For an error, a span has its type, but not its message.
 */
export type Tracing = {
  api: typeof import("@opentelemetry/api");
  tracer: Tracer;
  current: AsyncLocalStorage<Context>;
};

let tracing: Tracing | undefined;

export const setTracing = (wanted: Tracing | undefined): void => {
  tracing = wanted;
};

export type Kind = keyof typeof SpanKind;

type Options = {
  kind?: Kind;
  /** The `traceparent` of another service's span, to continue its trace. */
  traceparent?: string | undefined;
};

/** Does the work in a span, inside the current one. `span` is null without tracing. */
export function traced<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span | null) => Promise<T>,
  { kind = "INTERNAL", traceparent }: Options = {},
): Promise<T> {
  return tracing ? inSpan(tracing, { name, attributes, kind, traceparent }, work) : work(null);
}

type Wanted = { name: string; attributes: Attributes; kind: Kind; traceparent: string | undefined };

async function inSpan<T>(
  { api, tracer, current }: Tracing,
  { name, attributes, kind, traceparent }: Wanted,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const outer = current.getStore() ?? remote(api, traceparent) ?? api.ROOT_CONTEXT;
  const span = tracer.startSpan(name, { attributes, kind: api.SpanKind[kind] }, outer);
  try {
    return await current.run(api.trace.setSpan(outer, span), () => work(span));
  } catch (error) {
    failSpan(span, kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Marks a span as failed. */
export function failSpan(span: Span | null, kind: string): void {
  // SpanStatusCode.ERROR, without loading the module that declares it.
  span?.setStatus({ code: 2 }).setAttribute("error.type", kind);
}

/** The code of a Problem or an error is more specific than its class. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** `00-<32 hexadecimal digits>-<16>-<2>` (W3C Trace Context); anything else is ignored. */
function remote(api: Tracing["api"], traceparent: string | undefined): Context | undefined {
  const [, traceId = "", spanId = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? "") ?? [];
  if (!api.isValidTraceId(traceId) || !api.isValidSpanId(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** The current span as a `traceparent` for another service that is called; null without tracing. */
export function traceparent(): string | null {
  const { api, current } = tracing ?? {};
  const context = current?.getStore();
  const span = context && api?.trace.getSpanContext(context);
  if (!span) return null;
  return `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 1).toString(16).padStart(2, "0")}`;
}

/** The current trace id, for the log. */
export function traceId(): string | undefined {
  const { api, current } = tracing ?? {};
  const context = current?.getStore();
  return context && api?.trace.getSpanContext(context)?.traceId;
}
