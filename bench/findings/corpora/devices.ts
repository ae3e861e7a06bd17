import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  maybe,
  mostlyFirst,
  normal,
  some,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, momentsOf, poisson } from "./calendar.ts";

const now = Date.parse("2025-04-14T07:00:00Z");
const since = Date.parse("2021-03-01");

/**
 * Door locks that report to a cloud: states one after the other, properties as rows, wide events with JSON in them, clocks
 * that are a little ahead, and devices that report late what happened while they were away.
 */
export function devices(seed: number): CorpusDatabase {
  const random = new Random(seed * 107 + 37);
  const fleet = fleetOf(random);
  return {
    name: "devices",
    now,
    tables: [
      fleet,
      statesOf(random, fleet.rows),
      propertiesOf(random, fleet.rows),
      eventsOf(random, fleet.rows),
      rolloutsOf(random, fleet.rows),
      weeklyOf(random, fleet.rows),
    ],
  };
}

const models = {
  "LK-1": ["Latch One", "zigbee"],
  "LK-2": ["Latch Two", "ble"],
  "LK-2P": ["Latch Two Pro", "wifi"],
  "BR-1": ["Bridge", "wifi"],
} as const;
const timezones = {
  Europe: ["Europe/Berlin", "Europe/London", "Europe/Warsaw"],
  America: ["America/New_York", "America/Chicago"],
  Asia: ["Asia/Kolkata"],
};

/** Some are still in their box, some were sent back, and a bridge has no battery. */
function fleetOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 1300 }, (_, index): Row => {
    const model = weighted(random, { "LK-1": 30, "LK-2": 42, "LK-2P": 18, "BR-1": 10 });
    const made = since + (index / 1300) * (now - since - 9 * dayMs) + random.next() * 9 * dayMs;
    const isActive = random.chance(0.9);
    const activated = made + (20 + heavyTailed(random, 60, 0.7)) * dayMs;
    const isRetired = isActive && activated < now - 90 * dayMs && random.chance(0.07);
    const region = weighted(random, { Europe: 70, America: 26, Asia: 4 });
    const isThere = isActive && activated < now;
    return [
      uuid(random),
      `${model.replace("-", "")}${new Date(made).getUTCFullYear() - 2000}${String(index + 1).padStart(6, "0")}`,
      Array.from({ length: 6 }, (_each, at) =>
        at === 0 ? "a4" : random.between(0, 255).toString(16).padStart(2, "0"),
      ).join(":"),
      model,
      models[model][0],
      models[model][1],
      mostlyFirst(random, ["4.2.1", "4.2.0", "4.1.7", "4.0.12", "3.9.3-rc1"], 1.8),
      isThere ? random.pick(timezones[region]) : null,
      dateText(made),
      isThere ? timeText(activated) : null,
      isRetired ? timeText(activated + random.next() * (now - activated)) : null,
      model === "BR-1" ? null : String(Math.round(Math.min(100, Math.max(3, 71 + normal(random) * 22)))),
      String(isThere),
      String(random.chance(0.02)),
      String(random.chance(0.3)),
      maybe(random, 0.35, () =>
        random.pick([
          "Front door",
          "front door",
          "Haustür",
          "Office",
          "Garage",
          "Cellar 2",
          "🔒 Home",
          "Mum",
        ]),
      ),
    ];
  });
  const columns = columnsOf({
    device_id: "uuid key",
    serial_number: "text",
    mac: "text",
    model_code: "text",
    model_name: "text",
    radio: "text",
    firmware: "text",
    timezone: "text",
    manufactured_on: "date",
    activated_at: "time",
    retired_at: "time",
    battery_pct: "integer",
    is_paired: "other",
    is_beta: "other",
    has_keypad: "other",
    label: "text",
  });
  return { name: "devices", columns, rows };
}

/** Each ends when the next begins, and the last has no end; a state may follow itself after a restart. */
function statesOf(random: Random, fleet: readonly Row[]): CorpusTable {
  const next = {
    provisioned: ["online"],
    online: ["offline", "offline", "updating", "online"],
    offline: ["online", "online", "online", "lost"],
    updating: ["online", "online", "error"],
    error: ["online", "offline"],
    lost: ["online"],
  } as const;
  const rows: Row[] = [];
  for (const device of some(
    random,
    fleet.filter((row) => row[9] !== null),
    520,
  )) {
    let at = Date.parse(device[9] ?? "");
    let [before, state]: [keyof typeof next | null, keyof typeof next] = [null, "provisioned"];
    for (let step = 0; step < 16 && at < now; step++) {
      const until =
        at +
        Math.ceil(
          heavyTailed(random, state === "updating" ? 240 : state === "provisioned" ? 90 : 400_000, 1.4),
        ) *
          1000;
      const isLast = step === 15 || until >= now;
      rows.push([
        String(rows.length + 1),
        device[0] ?? null,
        before,
        state,
        timeText(at),
        isLast ? null : timeText(until),
        isLast ? null : String((Date.parse(timeText(until)) - Date.parse(timeText(at))) / 1000),
        weighted(random, { device: 80, cloud: 17, support: 3 }),
        String(isLast),
      ]);
      if (isLast) break;
      at = until;
      [before, state] = [state, random.pick<keyof typeof next>(next[state])];
    }
  }
  const columns = columnsOf({
    state_id: "integer key",
    device_id: "uuid in devices.device_id",
    from_state: "text",
    to_state: "text",
    valid_from: "time",
    valid_to: "time",
    duration_s: "integer",
    changed_by: "text",
    is_current: "other",
  });
  return { name: "device_states", columns, rows };
}

/** Entity, attribute, value: numbers, words, and times share a column. */
function propertiesOf(random: Random, fleet: readonly Row[]): CorpusTable {
  const kinds: Record<string, [string, string | null, (device: Row) => string]> = {
    auto_lock: ["bool", null, () => String(random.chance(0.7))],
    auto_lock_delay: ["int", "s", () => String(random.pick([30, 60, 120, 300]))],
    volume: ["enum", null, () => weighted(random, { low: 20, medium: 60, high: 18, off: 2 })],
    calibration_offset: ["float", "deg", () => (normal(random) * 2.4).toFixed(2)],
    locale: [
      "text",
      null,
      () => mostlyFirst(random, ["en-US", "de-DE", "en-GB", "pl-PL", "fr-FR", "hi-IN"], 1.4),
    ],
    last_calibrated: ["time", null, (row) => timeText(Date.parse(row[9] ?? "") + random.next() * 40 * dayMs)],
    wifi_ssid_hash: [
      "text",
      null,
      () => Array.from({ length: 16 }, () => random.between(0, 15).toString(16)).join(""),
    ],
    door_thickness: ["int", "mm", () => String(random.between(35, 72))],
  };
  const rows = fleet
    .filter((row) => row[9] !== null)
    .flatMap((device) =>
      some(random, Object.keys(kinds), random.between(3, 7))
        .sort()
        .map((key): Row => {
          const [type, unit, value] = kinds[key] ?? ["text", null, () => ""];
          return [
            device[0] ?? null,
            key,
            type,
            value(device),
            unit,
            random.chance(0.85) ? "default" : "user",
            timeText(Date.parse(device[9] ?? "") + random.next() * (now - Date.parse(device[9] ?? ""))),
          ];
        }),
    );
  const columns = columnsOf({
    device_id: "uuid in devices.device_id",
    property: "text",
    value_type: "text",
    value: "text",
    unit: "text",
    source: "text",
    updated_at: "time",
  });
  return { name: "device_properties", columns, rows };
}

/** What only one type of event has is empty in all the others. */
function eventsOf(random: Random, fleet: readonly Row[]): CorpusTable {
  const active = fleet.filter(
    (row) => row[10] === null && Date.parse(row[9] ?? "") < Date.parse("2025-01-25"),
  );
  const rows: Row[] = [];
  for (const day of daysFrom("2025-02-03", now - dayMs))
    for (const at of momentsOf(random, day, poisson(random, 120))) {
      const device = mostlyFirst(random, active, 1.5);
      const type = weighted(random, {
        lock: 38,
        unlock: 40,
        heartbeat: 14,
        battery: 4,
        jam: 0.7,
        access_denied: 1.8,
        tamper: 0.15,
        firmware: 1.3,
      });
      const isAway = random.chance(0.03);
      const skew = random.chance(0.06) ? -random.between(1, 3) * 1000 : random.between(0, 4000);
      const received = Math.min(now, at + (isAway ? heavyTailed(random, 9, 1) * hourMs : skew));
      const isTurn = type === "lock" || type === "unlock";
      const method = isTurn ? weighted(random, { app: 45, keypad: 20, manual: 25, auto: 10 }) : null;
      const battery = type === "battery" ? random.between(2, 20) : null;
      const angle = isTurn ? Math.round((type === "lock" ? 90 : 0) + normal(random) * 2) : null;
      const version = Date.parse("2025-03-03") < at ? 3 : 2;
      rows.push([
        uuid(random),
        device[0] ?? null,
        type,
        String(version),
        timeText(at),
        timeText(received),
        method,
        method === "app" ? `u_${digits(random, 7)}` : null,
        method === "keypad" ? String(random.between(1, 30)) : null,
        angle === null ? null : String(angle),
        battery === null ? null : String(battery),
        type === "jam" ? random.pick(["E11", "E12"]) : null,
        type === "heartbeat" ? String(Math.round(-64 + normal(random) * 9)) : null,
        JSON.stringify({
          v: version,
          ...(method && { method }),
          ...(angle !== null && { angle }),
          ...(battery !== null && { battery }),
          ...(version === 3 && { fw: device[6] }),
        }),
        isAway ? "replay" : "live",
        dateText(received),
      ]);
    }
  const columns = columnsOf({
    event_id: "uuid",
    device_id: "uuid in devices.device_id",
    event_type: "text",
    schema_version: "integer",
    device_time: "time",
    received_at: "time",
    method: "text",
    user_ref: "text",
    keypad_slot: "integer",
    bolt_angle: "integer",
    battery_pct: "integer",
    error_code: "text",
    rssi: "integer",
    payload: "text",
    delivery: "text",
    partition_date: "date",
  });
  return { name: "events", columns, rows, loads: { column: "device_time", period: "day" } };
}

/** An update is tried up to three times. */
function rolloutsOf(random: Random, fleet: readonly Row[]): CorpusTable {
  const waves = {
    "4.0.12": "2024-05-06",
    "4.1.7": "2024-09-02",
    "4.2.0": "2025-01-13",
    "4.2.1": "2025-03-10",
  } as const;
  const rows: Row[] = [];
  for (const [version, start] of Object.entries(waves))
    for (const device of some(
      random,
      fleet.filter((row) => Date.parse(row[9] ?? "") < Date.parse(start)),
      330,
    )) {
      let from = Date.parse(start) + random.next() * 21 * dayMs;
      for (let attempt = 1; attempt <= 3; attempt++) {
        const isDone = random.chance(0.93);
        const seconds = Math.round(heavyTailed(random, 210, 0.5));
        rows.push([
          device[0] ?? null,
          version,
          String(attempt),
          timeText(from),
          isDone ? timeText(from + seconds * 1000) : null,
          isDone ? "success" : weighted(random, { timeout: 60, checksum: 10, low_battery: 30 }),
          String(isDone ? 100 : random.between(0, 99)),
          String(device[3] === "BR-1" ? 8_421_376 : 1_310_720),
        ]);
        if (isDone) break;
        from += random.between(1, 4) * dayMs;
      }
    }
  const columns = columnsOf({
    device_id: "uuid in devices.device_id",
    target_version: "text",
    attempt: "integer",
    started_at: "time",
    finished_at: "time",
    outcome: "text",
    progress_pct: "integer",
    image_bytes: "integer",
  });
  return { name: "firmware_updates", columns, rows };
}

/** Years and weeks of ISO 8601: the 30th of December is in the first week. */
function weeklyOf(random: Random, fleet: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  const those = fleet.filter((row) => Date.parse(row[9] ?? "") < Date.parse("2024-06-01")).slice(0, 130);
  for (const day of daysFrom("2024-06-03", now).filter((_, index) => index % 7 === 0)) {
    if (day + 7 * dayMs > now) break;
    const thursday = new Date(day + 3 * dayMs);
    const year = thursday.getUTCFullYear();
    const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs));
    for (const device of those) {
      if (device[10] !== null && Date.parse(device[10] ?? "") < day) continue;
      const [locks, unlocks] = [poisson(random, 24), poisson(random, 24)];
      rows.push([
        device[0] ?? null,
        String(year),
        String(week),
        dateText(day),
        String(locks),
        String(unlocks),
        String(locks + unlocks),
        random.chance(0.94) ? "0" : String(random.between(1, 4)),
        (99.9 - (random.chance(0.1) ? heavyTailed(random, 4, 0.8) : random.next() * 0.4)).toFixed(2),
      ]);
    }
  }
  const columns = columnsOf({
    device_id: "uuid in devices.device_id",
    iso_year: "integer",
    iso_week: "integer",
    week_start: "date",
    locks: "integer",
    unlocks: "integer",
    operations: "integer",
    jams: "integer",
    uptime_pct: "decimal",
  });
  return {
    name: "device_weeks",
    columns,
    rows,
    loads: { column: "week_start", period: "week", areAtOnce: true, areAlike: true },
  };
}
