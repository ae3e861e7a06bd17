import { z } from "zod";
import { flag, wholeNumber } from "./values.ts";

/** What is logged, measured, and traced, and where it is sent. */
export const telemetrySettings = {
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The lowest level to log."),
  ACCESS_LOG: flag
    .optional()
    .describe("on|off: log every request at level info. On by default, unless the log goes to a terminal."),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, "must be one word of ASCII with at least 16 characters")
    .optional()
    .describe(
      "A token that may read /metrics, sent as `Authorization: Bearer …`. Without it, only Admins can read them.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Base URL of the OTLP/HTTP collector that receives traces and metrics, such as http://localhost:4318. Nothing is sent unless it is set. The standard OpenTelemetry variables also apply (OTEL_EXPORTER_OTLP_HEADERS, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, and others).",
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "The full URL for traces, such as http://localhost:4318/v1/traces. Overrides OTEL_EXPORTER_OTLP_ENDPOINT.",
    ),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "The full URL for metrics, such as http://localhost:4318/v1/metrics. Overrides OTEL_EXPORTER_OTLP_ENDPOINT.",
    ),
  OTEL_METRICS_EXPORTER: z
    .enum(["otlp", "none"])
    .default("otlp")
    .describe("`none` sends traces alone, for a collector that takes no metrics."),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber(1000, 3_600_000, 60_000).describe(
    "Milliseconds between two exports of metrics.",
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal("http/protobuf", "must be http/protobuf, the only supported protocol")
    .optional()
    .describe("The export protocol. Only http/protobuf is supported."),
};
