import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings, type Settings } from "../env.ts";
import { measured } from "../process/metrics.ts";
import { captureLog } from "../test/captured-log.ts";
import { anOtlpReceiver, type ReceivedMetric } from "../test/otlp-receiver.ts";
import { metrics } from "./metrics.ts";
import { startMetricsExport } from "./start-metrics-export.ts";

const lines = captureLog();
let collector: Awaited<ReturnType<typeof anOtlpReceiver>>;
let settings: Settings;

beforeAll(async () => {
  collector = await anOtlpReceiver();
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20for-the-collector",
  });
  settings = readSettings();
});
afterAll(() => collector.stop());

/** What is sent when the export stops. */
async function sent(): Promise<ReceivedMetric[]> {
  const started = await startMetricsExport(settings, measured);
  await started?.stop();
  return collector.metrics.at(-1) ?? [];
}

test("sends what /metrics has: the same names, labels, and values", async () => {
  metrics.evaluations.inc({ trigger: "Manual", outcome: "passed" }, 3);
  metrics.evaluations.inc({ trigger: "Scheduled", outcome: "failed" });
  for (const seconds of [0.02, 0.3, 400]) metrics.evaluationSeconds.observe(seconds);
  const received = await sent();
  const named = (name: string) => received.find((metric) => metric.name === name);

  expect(named("plumbline_evaluations_total")).toEqual({
    name: "plumbline_evaluations_total",
    unit: "",
    kind: "sum",
    isMonotonic: true,
    points: [
      { attributes: { trigger: "Manual", outcome: "passed" }, value: 3 },
      { attributes: { trigger: "Scheduled", outcome: "failed" }, value: 1 },
    ],
  });
  expect(named("plumbline_evaluation_duration_seconds")).toEqual({
    name: "plumbline_evaluation_duration_seconds",
    unit: "s",
    kind: "histogram",
    isMonotonic: false,
    points: [
      {
        attributes: {},
        value: expect.closeTo(400.32),
        count: 3,
        bounds: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
        bucketCounts: [0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      },
    ],
  });
  // Measured when it is asked for.
  expect(named("plumbline_database_up")).toMatchObject({ kind: "gauge", points: [{ value: 1 }] });

  const registered = await metrics.registry.getMetricsAsJSON();
  const withValues = registered.filter(({ values }) => values.length > 0).map(({ name }) => name);
  expect(received.map(({ name }) => name).toSorted()).toEqual(withValues.toSorted());
});

test("goes where OpenTelemetry's variables say, with their headers", async () => {
  await sent();
  expect(collector.requests.at(-1)).toMatchObject({
    path: "/v1/metrics",
    type: "application/x-protobuf",
    authorization: "Bearer for-the-collector",
  });
});

test("without an address, or where it is turned off, nothing is sent", async () => {
  const nowhere = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: undefined };
  expect(await startMetricsExport(nowhere, measured)).toBeNull();
  expect(await startMetricsExport({ ...settings, OTEL_METRICS_EXPORTER: "none" }, measured)).toBeNull();
});

test("sends again after each interval", async () => {
  const before = collector.metrics.length;
  const started = await startMetricsExport({ ...settings, OTEL_METRIC_EXPORT_INTERVAL: 20 }, async () => {});
  await expect.poll(() => collector.metrics.length).toBeGreaterThan(before + 1);
  await started?.stop();
});

test("a collector that refuses is a line in the log, once", async () => {
  process.env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT = "http://127.0.0.1:9/v1/metrics";
  process.env.OTEL_EXPORTER_OTLP_METRICS_TIMEOUT = "200";
  try {
    let rounds = 0;
    const refresh = async () => {
      rounds += 1;
    };
    const started = await startMetricsExport({ ...settings, OTEL_METRIC_EXPORT_INTERVAL: 20 }, refresh);
    await expect.poll(() => rounds).toBeGreaterThan(2);
    await started?.stop();
    expect(lines.filter((line) => line.includes("Metrics cannot be sent"))).toHaveLength(1);
  } finally {
    delete process.env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT;
    delete process.env.OTEL_EXPORTER_OTLP_METRICS_TIMEOUT;
  }
});
