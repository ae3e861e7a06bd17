import { AsyncLocalStorage } from "node:async_hooks";
import type { Settings } from "../env.ts";
import { log } from "./log.ts";
import { otlpResource } from "./otlp-resource.ts";
import { setTracing } from "./tracing.ts";

export type TraceExport = { stop(): Promise<void> };

const timeoutMs = 5_000;

/**
 * Starts creating and exporting spans, by OTLP over HTTP in protobuf, to the address in OpenTelemetry's standard
 * variables; those that are not settings of ours are read by OpenTelemetry itself. Without an address returns null,
 * without loading anything of OpenTelemetry.
 */
export async function startTracing(settings: Settings): Promise<TraceExport | null> {
  if (!settings.OTEL_EXPORTER_OTLP_ENDPOINT && !settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return null;
  const [api, sdk, resource, { OTLPTraceExporter }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace-base"),
    otlpResource(),
    import("@opentelemetry/exporter-trace-otlp-proto"),
  ]);
  // Spans that cannot be sent are lost, and the operator should know why.
  const tell = (message: string) => log.warn({ reason: message.slice(0, 500) }, "Traces cannot be sent");
  const quiet = () => {};
  api.diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new sdk.BasicTracerProvider({
    resource,
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  setTracing({ api, tracer: provider.getTracer("plumbline"), current: new AsyncLocalStorage() });
  return {
    /** Sends the remaining spans, as far as that is possible quickly. */
    async stop() {
      setTracing(undefined);
      const timedOut = Promise.withResolvers<void>();
      const timer = setTimeout(timedOut.resolve, timeoutMs);
      await Promise.race([
        provider.shutdown().catch((error: Error) => tell(error.message)),
        timedOut.promise,
      ]);
      clearTimeout(timer);
    },
  };
}
