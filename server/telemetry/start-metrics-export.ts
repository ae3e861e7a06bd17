import type { Settings } from "../env.ts";
import { log } from "./log.ts";
import { metrics } from "./metrics.ts";
import { resourceMetricsOf, type Sample } from "./otlp-metrics.ts";
import { otlpResource } from "./otlp-resource.ts";

export type MetricsExport = { stop(): Promise<void> };

/**
 * Starts sending the metrics of /metrics, by OTLP over HTTP in protobuf, to the address in OpenTelemetry's standard
 * variables, and once more when it stops. `refresh` measures what is only measured when it is asked for. Without an
 * address returns null, without loading anything of OpenTelemetry.
 */
export async function startMetricsExport(
  settings: Settings,
  refresh: () => Promise<void>,
): Promise<MetricsExport | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: own } = settings;
  if ((!all && !own) || settings.OTEL_METRICS_EXPORTER === "none") return null;
  const [resource, transformer, base] = await Promise.all([
    otlpResource(),
    import("@opentelemetry/otlp-transformer"),
    import("@opentelemetry/otlp-exporter-base/node-http"),
  ]);
  const { ProtobufMetricsSerializer, MetricsExporterMetricsHelper } = transformer;
  const delegate = base.createOtlpHttpExportDelegate(
    base.convertLegacyHttpOptions({}, "METRICS", "v1/metrics", { "Content-Type": "application/x-protobuf" }),
    ProtobufMetricsSerializer,
    "otlp_http_metric_exporter",
    MetricsExporterMetricsHelper,
    undefined,
  );
  const startedAt = performance.timeOrigin;

  let sending: Promise<void> | undefined;
  let isFailing = false;
  /** One at a time: a slow collector is not sent more. */
  const send = () => {
    sending ??= sendOnce().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  async function sendOnce(): Promise<void> {
    try {
      await refresh();
      const samples = (await metrics.registry.getMetricsAsJSON()) as unknown as Sample[];
      const sent = resourceMetricsOf(samples, { resource, startedAt, now: Date.now() });
      const { error } = await new Promise<{ error?: Error }>((resolve) => delegate.export(sent, resolve));
      if (error) throw error;
      isFailing = false;
    } catch (error) {
      // Once, not every minute until it is mended.
      if (!isFailing) log.warn({ reason: (error as Error).message.slice(0, 500) }, "Metrics cannot be sent");
      isFailing = true;
    }
  }

  const timer = setInterval(() => void send(), settings.OTEL_METRIC_EXPORT_INTERVAL);
  timer.unref();
  return {
    /** Sends what was counted last, as far as that is possible quickly. */
    async stop() {
      clearInterval(timer);
      await sending;
      const timedOut = Promise.withResolvers<void>();
      const patience = setTimeout(timedOut.resolve, stopMs);
      await Promise.race([send(), timedOut.promise]);
      clearTimeout(patience);
      await delegate.shutdown();
    },
  };
}

const stopMs = 5_000;
