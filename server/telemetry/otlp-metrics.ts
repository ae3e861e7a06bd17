import type { HrTime } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { MetricData, ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from "prom-client";

/**
 * The metrics that Prometheus reads, in OpenTelemetry's terms: the same counters with the same names and labels, so
 * that what is counted is decided once. Sums and histograms are cumulative since the process started.
 */
export type Sample = MetricObjectWithValues<MetricValue<string>>;

// OpenTelemetry's enumerations, which are only loaded if something is sent.
const cumulative = 1;
const dataPoints = { histogram: 0, gauge: 2, sum: 3 } as const;
const kinds = { counter: "COUNTER", gauge: "GAUGE", histogram: "HISTOGRAM" } as const;

export function resourceMetricsOf(
  samples: readonly Sample[],
  { resource, startedAt, now }: { resource: Resource; startedAt: number; now: number },
): ResourceMetrics {
  const times = { startTime: hrTime(startedAt), endTime: hrTime(now) };
  const metrics = samples.flatMap((sample) => metricOf(sample, times) ?? []);
  return { resource, scopeMetrics: [{ scope: { name: "plumbline" }, metrics }] };
}

type Times = { startTime: HrTime; endTime: HrTime };

/** null for what has no value yet. */
function metricOf(sample: Sample, times: Times): MetricData | null {
  const { name, help: description, values } = sample;
  const type = sample.type as unknown as keyof typeof kinds;
  if (values.length === 0 || !Object.hasOwn(kinds, type)) return null;
  const descriptor = {
    ...{ name, description, type: kinds[type], unit: unitOf(name) },
    ...{ valueType: 1, advice: {} },
  };
  const plain = values.map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), value }));
  const shape = { descriptor, aggregationTemporality: cumulative };
  const data = {
    counter: () => ({ ...shape, dataPointType: dataPoints.sum, isMonotonic: true, dataPoints: plain }),
    gauge: () => ({ ...shape, dataPointType: dataPoints.gauge, dataPoints: plain }),
    histogram: () => ({
      ...shape,
      dataPointType: dataPoints.histogram,
      dataPoints: histogramsOf(sample, times),
    }),
  };
  return data[type]() as unknown as MetricData;
}

/** Prometheus counts what is at most a bound; OpenTelemetry what lies between two. */
function histogramsOf({ name, values }: Sample, times: Times) {
  const series = new Map<
    string,
    { labels: MetricValue<string>["labels"]; parts: MetricValueWithName<string>[] }
  >();
  for (const each of values as MetricValueWithName<string>[]) {
    const { le: _, ...labels } = each.labels as Record<string, string | number>;
    const key = JSON.stringify(Object.entries(labels).sort());
    const known = series.get(key) ?? { labels, parts: [] };
    series.set(key, known);
    known.parts.push(each);
  }
  return [...series.values()].map(({ labels, parts }) => {
    const partOf = (suffix: string) =>
      parts.find(({ metricName }) => metricName === `${name}_${suffix}`)?.value ?? 0;
    const buckets = parts
      .filter(({ metricName }) => metricName === `${name}_bucket`)
      .map(({ labels: { le }, value }) => ({
        le: le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le),
        value,
      }))
      .sort((a, b) => a.le - b.le);
    return {
      ...{ ...times, attributes: attributesOf(labels) },
      value: {
        ...{ count: partOf("count"), sum: partOf("sum") },
        buckets: {
          boundaries: buckets.map(({ le }) => le).filter(Number.isFinite),
          counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
        },
      },
    };
  });
}

const attributesOf = (labels: MetricValue<string>["labels"]) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));

/** Names say their unit, as Prometheus asks. */
function unitOf(name: string): string {
  const [unit] = /(?:seconds|bytes|dollars)(?=_total$|$)/.exec(name) ?? [];
  return { seconds: "s", bytes: "By", dollars: "{dollar}" }[unit ?? ""] ?? "";
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
