import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  mostlyFirst,
  normal,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";

const now = Date.parse("2025-03-31T23:30:00Z");
const hourMs = 3_600_000;

/** Sensors that are read every hour, with seasons, gaps and counters; what happened to them; and who asked for it. */
export function telemetry(seed: number): CorpusDatabase {
  const random = new Random(seed);
  const sensors = sensorsOf(random);
  return {
    name: "telemetry",
    now,
    tables: [sensors, readingsOf(random, sensors.rows), eventsOf(random, sensors.rows), requestsOf(random)],
  };
}

function sensorsOf(random: Random): CorpusTable {
  const sites = ["Harbor", "Old Town", "Airport", "North Ridge", "Valley"].map((site, index) => ({
    site,
    zone: `Z${index % 3}`,
    latitude: 47 + random.next() * 4,
    longitude: 7 + random.next() * 6,
  }));
  const models = { "TH-200": 60, "TH-300": 35, "WX-1": 5 };
  const makers = { "TH-200": "Thermix", "TH-300": "Thermix", "WX-1": "Windlab" };
  const rows = Array.from({ length: 240 }, (_, index): Row => {
    const place = random.pick(sites);
    const model = weighted(random, models);
    const installed = now - (400 + random.next() * 900) * dayMs;
    return [
      `S-${String(index + 1).padStart(4, "0")}`,
      model,
      makers[model],
      `${random.between(1, 3)}.${random.between(0, 12)}.${random.between(0, 4)}`,
      place.site,
      place.zone,
      (place.latitude + normal(random) * 0.02).toFixed(5),
      (place.longitude + normal(random) * 0.02).toFixed(5),
      dateText(installed),
      maybe(random, 0.1, () => dateText(installed + (100 + random.next() * 250) * dayMs)),
    ];
  });
  const columns = columnsOf({
    sensor_id: "text key",
    model: "text",
    maker: "text",
    firmware: "text",
    site: "text",
    zone: "text",
    lat: "float",
    lon: "float",
    installed_on: "date",
    retired_on: "date",
  });
  return { name: "sensors", columns, rows };
}

function readingsOf(random: Random, sensors: Row[]): CorpusTable {
  const rows: Row[] = [];
  const read = sensors.slice(0, 12).map((sensor) => ({
    id: sensor[0] ?? null,
    pulses: random.between(900, 99_000),
    warmth: normal(random) * 2,
    battery: 3.3 + random.next() * 0.9,
  }));
  let id = 48_000_000;
  for (let hour = 0; hour < 1800; hour++) {
    const at = now - (1800 - hour) * hourMs;
    const season =
      6 - 9 * Math.cos((2 * Math.PI * (at / dayMs - 20)) / 365) - 5 * Math.cos((2 * Math.PI * hour) / 24);
    for (const [index, sensor] of read.entries()) {
      // One was away for three days; others now and then.
      if ((index === 4 && hour > 700 && hour < 772) || random.chance(0.04)) continue;
      const quality = weighted(random, { ok: 970, suspect: 25, calibrating: 5 });
      sensor.pulses += Math.floor(heavyTailed(random, 3, 1));
      sensor.battery -= 0.0002;
      const humidity = Math.min(100, Math.max(5, 65 - season + normal(random) * 14));
      id += random.between(1, 3);
      rows.push([
        String(id),
        sensor.id,
        timeText(at + random.between(0, 90) * 1000),
        quality === "calibrating" ? null : (season + sensor.warmth + normal(random) * 1.5).toFixed(1),
        quality === "calibrating" ? null : humidity.toFixed(0),
        heavyTailed(random, 6, 0.8).toFixed(1),
        (random.chance(0.9) ? 0 : heavyTailed(random, 0.6, 1.3)).toFixed(1),
        sensor.battery.toFixed(2),
        String(Math.round(-70 + normal(random) * 9)),
        String(sensor.pulses),
        quality,
      ]);
    }
  }
  const columns = columnsOf({
    reading_id: "integer",
    sensor_id: "text in sensors.sensor_id",
    measured_at: "time",
    temperature_c: "float",
    humidity_pct: "integer",
    wind_ms: "float",
    rain_mm: "float",
    battery_v: "decimal",
    rssi_dbm: "integer",
    pulses: "integer",
    quality: "text",
  });
  return { name: "readings", columns, rows };
}

function eventsOf(random: Random, sensors: Row[]): CorpusTable {
  const codes = {
    E101: ["warning", "Battery low"],
    E102: ["error", "No reading"],
    E201: ["info", "Firmware updated"],
    E305: ["critical", "Housing opened"],
    E410: ["info", "Restarted"],
  } as const;
  const rows = Array.from({ length: 5000 }, (_, index): Row => {
    const code = weighted(random, { E101: 300, E102: 400, E201: 50, E305: 5, E410: 245 });
    const at = now - ((5000 - index) / 5000) * 300 * dayMs;
    const isSeen = codes[code][0] !== "info" && random.chance(0.6);
    return [
      uuid(random),
      mostlyFirst(random, sensors, 1.3)[0] ?? null,
      code,
      codes[code][0],
      `${codes[code][1]} (${random.between(1, 40)})`,
      timeText(at),
      isSeen ? timeText(at + heavyTailed(random, hourMs, 1)) : null,
      isSeen ? random.pick(["ops1", "ops2", "duty", "kv"]) : null,
    ];
  });
  const columns = columnsOf({
    event_id: "uuid",
    sensor: "text in sensors.sensor_id",
    code: "text",
    severity: "text",
    message: "text",
    occurred_at: "time",
    acknowledged_at: "time",
    acknowledged_by: "text",
  });
  return { name: "events", columns, rows };
}

/** Everything is text, as a file was loaded. */
function requestsOf(random: Random): CorpusTable {
  const paths = [
    "/api/readings",
    "/api/sensors",
    "/health",
    "/api/events",
    "/export",
    "/login",
    "/api/readings/latest",
  ];
  const agents = [
    "Mozilla/5.0 (X11; Linux x86_64)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)",
    "curl/8.5.0",
    "python-requests/2.31",
    "Grafana/10.2.3",
  ];
  const reasons = {
    "200": "OK",
    "304": "Not Modified",
    "404": "Not Found",
    "500": "Internal Server Error",
    "401": "Unauthorized",
  } as const;
  const rows = Array.from({ length: 8000 }, (_, index): Row => {
    const status = weighted(random, { "200": 900, "304": 60, "404": 25, "401": 12, "500": 3 });
    return [
      timeText(now - (8000 - index) * 37_000).slice(0, 19),
      `10.${random.between(0, 3)}.${random.between(0, 255)}.${random.between(1, 254)}`,
      weighted(random, { GET: 93, POST: 6, DELETE: 1 }),
      mostlyFirst(random, paths, 1.8),
      status,
      reasons[status],
      status === "304" ? "0" : String(Math.round(heavyTailed(random, 2400, 1.6))),
      String(Math.ceil(heavyTailed(random, 18, 1.3))),
      mostlyFirst(random, agents, 1.6),
      maybe(random, 0.3, () => `https://status.example.org/d/${random.between(1, 60)}`),
    ];
  });
  const columns = columnsOf({
    time: "text",
    client_ip: "text",
    method: "text",
    path: "text",
    status: "text",
    reason: "text",
    bytes: "text",
    duration_ms: "text",
    user_agent: "text",
    referrer: "text",
  });
  return { name: "requests", columns, rows };
}
