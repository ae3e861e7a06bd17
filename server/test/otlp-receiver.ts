import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  isError: boolean;
  service: unknown;
};

export type ReceivedMetric = {
  name: string;
  unit: string;
  kind: "gauge" | "sum" | "histogram";
  /** Of a sum: whether it only grows. */
  isMonotonic: boolean;
  points: {
    attributes: Record<string, unknown>;
    /** Of a histogram: the sum of its values. */
    value: number;
    count?: number;
    bounds?: number[];
    bucketCounts?: number[];
  }[];
};

/**
 * A collector for OTLP over HTTP in protobuf. It parses the bytes by the field numbers in opentelemetry-proto's
 * `trace.proto` and `metrics.proto`, and shares nothing with the sender.
 */
export async function anOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  /** Each export by itself. */
  const metrics: ReceivedMetric[][] = [];
  const requests: {
    path: string;
    type: string | undefined;
    authorization: string | undefined;
    body: string;
  }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const sent = Buffer.concat(chunks);
      const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
      const { "content-type": type, authorization } = request.headers;
      requests.push({ path: request.url ?? "", type, authorization, body: body.toString("latin1") });
      if (request.url?.endsWith("/metrics")) metrics.push(metricsIn(body));
      else spans.push(...spansIn(body));
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    requests,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** ExportTraceServiceRequest → ResourceSpans → ScopeSpans → Span. */
const spansIn = (request: Buffer): ReceivedSpan[] =>
  messages(request, 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((each) => messages(each, 1));
    const service = attributesIn(resource)["service.name"];
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({ ...spanIn(span), service }));
  });

const spanIn = (span: Buffer): Omit<ReceivedSpan, "service"> => ({
  traceId: hex(messages(span, 1)[0]),
  spanId: hex(messages(span, 2)[0]),
  parentId: hex(messages(span, 4)[0]),
  name: text(messages(span, 5)[0]),
  kind: Number(numbers(span, 6)[0] ?? 0),
  attributes: attributesIn(messages(span, 9)),
  isError: messages(span, 15).some((status) => numbers(status, 3)[0] === 2n),
});

/** ExportMetricsServiceRequest → ResourceMetrics → ScopeMetrics → Metric. */
const metricsIn = (request: Buffer): ReceivedMetric[] =>
  messages(request, 1)
    .flatMap((resourceMetrics) => messages(resourceMetrics, 2))
    .flatMap((scopeMetrics) => messages(scopeMetrics, 2))
    .map(metricIn);

function metricIn(metric: Buffer): ReceivedMetric {
  const [gauge] = messages(metric, 5);
  const [sum] = messages(metric, 7);
  const [histogram = Buffer.alloc(0)] = messages(metric, 9);
  return {
    name: text(messages(metric, 1)[0]),
    unit: text(messages(metric, 3)[0]),
    kind: gauge ? "gauge" : sum ? "sum" : "histogram",
    isMonotonic: sum !== undefined && numbers(sum, 3)[0] === 1n,
    points: messages(gauge ?? sum ?? histogram, 1).map(gauge || sum ? numberPointIn : histogramPointIn),
  };
}

const numberPointIn = (point: Buffer) => ({
  attributes: attributesIn(messages(point, 7)),
  value: doubles(messages(point, 4)[0])[0] ?? Number(longs(messages(point, 6)[0])[0] ?? Number.NaN),
});

const histogramPointIn = (point: Buffer) => ({
  attributes: attributesIn(messages(point, 9)),
  value: doubles(messages(point, 5)[0])[0] ?? Number.NaN,
  count: Number(longs(messages(point, 4)[0])[0] ?? 0),
  bucketCounts: longs(messages(point, 6)[0]).map(Number),
  bounds: doubles(messages(point, 7)[0]),
});

const doubles = (packed: Buffer = Buffer.alloc(0)) =>
  Array.from({ length: packed.length / 8 }, (_, index) => packed.readDoubleLE(index * 8));
const longs = (packed: Buffer = Buffer.alloc(0)) =>
  Array.from({ length: packed.length / 8 }, (_, index) => packed.readBigInt64LE(index * 8));

/** KeyValues whose AnyValue is a string, a boolean, an integer, or a double. */
const attributesIn = (pairs: Buffer[]) =>
  Object.fromEntries(pairs.map((pair) => [text(messages(pair, 1)[0]), valueIn(messages(pair, 2)[0])]));

function valueIn(value: Buffer | undefined): unknown {
  if (!value) return undefined;
  const [first] = fields(value);
  if (first?.number === 1) return text(messages(value, 1)[0]);
  if (first?.number === 2) return numbers(value, 2)[0] === 1n;
  if (first?.number === 3) return Number(numbers(value, 3)[0]);
  return first?.number === 4 ? (first.value as Buffer).readDoubleLE(0) : undefined;
}

const hex = (bytes: Buffer | undefined) => bytes?.toString("hex") ?? "";
const text = (bytes: Buffer | undefined) => bytes?.toString("utf8") ?? "";

type Field = { number: number; value: Buffer | bigint };

const messages = (message: Buffer, number: number) =>
  fields(message).flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );
const numbers = (message: Buffer, number: number) =>
  fields(message).flatMap((field) =>
    field.number === number && typeof field.value === "bigint" ? [field.value] : [],
  );

/** Protobuf's wire format: a varint of number and type, then a varint, 8 bytes, a length and that many bytes, or 4. */
function fields(message: Buffer): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (count: number) => {
    at += count;
    return message.subarray(at - count, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [number, type] = [tag >> 3, tag & 7];
    if (type === 0) found.push({ number, value: varint() });
    else if (type === 1) found.push({ number, value: bytes(8) });
    else if (type === 2) found.push({ number, value: bytes(Number(varint())) });
    else if (type === 5) found.push({ number, value: bytes(4) });
    else throw new Error(`Protobuf has no wire type ${type} here`);
  }
  return found;
}
