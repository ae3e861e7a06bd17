import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, digits, heavyTailed, letters, some, timeText, weighted } from "../draw.ts";
import { hourMs, poisson } from "./calendar.ts";
import { type Evse, isThere, type Site } from "./charging-network.ts";
import { lands, localOf, now, type Organization } from "./charging-organizations.ts";
import { type Session, sessionsFrom } from "./charging-sessions.ts";
import { monthOf } from "./charging-tariffs.ts";

/** What is billed, what chargers report, what is switched on for whom, and what a hub delivers. */

type Charge = {
  id: number;
  session: Session;
  kind: "charge" | "credit" | "rebill";
  of: Charge | null;
  issued: number;
  parts: { energy: number; flat: number; idle: number; discount: number };
  factor: number;
};

/** Too little to bill, or still running. A dispute that was won is credited, and at times billed again for less. */
export function chargesOf(random: Random, sessions: readonly Session[]): Charge[] {
  const charges: Charge[] = [];
  for (const session of sessions) {
    const { ends, energy, status, tariff, idle } = session;
    if (ends === null || Math.abs(energy) < 100 || session.token?.kind === "OTHER") continue;
    const seconds = (ends - session.starts) / 60_000;
    const over =
      tariff.idleAfter === null ? 0 : Math.max(0, Math.min(idle, Math.floor(seconds - tariff.idleAfter)));
    const owed = over * tariff.perIdleMinute;
    const cost = Math.round((energy / 1000) * tariff.perKwh);
    const isMember =
      session.method === "APP" && tariff.code.endsWith("PUB") && (session.token?.id ?? 0) % 5 === 0;
    const charge: Charge = {
      id: 0,
      session,
      kind: "charge",
      of: null,
      issued: ends + random.between(3, 95) * 60_000,
      parts: {
        energy: cost,
        flat: tariff.perSession,
        idle: Math.min(owed, tariff.idleCap ?? Infinity),
        discount: isMember ? -Math.round(cost * 0.15) : 0,
      },
      factor: 1,
    };
    if (charge.issued < now) charges.push(charge);
    const answered = charge.issued + random.between(1, 20) * dayMs;
    if (status !== 40 && !random.chance(0.006)) continue;
    if (answered < now && tariff.perKwh > 0)
      charges.push({ ...charge, kind: "credit", of: charge, issued: answered, factor: -1 });
    const again = answered + random.between(20, 600) * 1000;
    if (again < now && tariff.perKwh > 0 && random.chance(0.4))
      charges.push({
        ...charge,
        kind: "rebill",
        of: charge,
        issued: again,
        parts: { ...charge.parts, idle: 0, discount: -Math.round(cost * 0.3) },
      });
  }
  charges.sort((a, b) => a.issued - b.issued);
  let id = 5_500_120;
  for (const charge of charges) charge.id = id += random.chance(0.02) ? 2 : 1;
  return charges;
}

export function chargeTable(random: Random, charges: readonly Charge[]): CorpusTable {
  const rows = charges.map(({ id, session, kind, of, issued, parts, factor }): Row => {
    const { tariff, token, evse } = session;
    const { currency, vat } = lands[tariff.country];
    const issuer = token?.issuer ?? null;
    // Partners abroad pay the tax at home.
    const isReverse = issuer?.kind === "emsp" && issuer.country !== tariff.country;
    const rate = isReverse ? 0 : vat;
    const signed = {
      energy: parts.energy * factor,
      flat: parts.flat * factor,
      idle: parts.idle * factor,
      discount: parts.discount * factor,
    };
    const net = signed.energy + signed.flat + signed.idle + signed.discount;
    const tax = Math.round((net * rate) / 100);
    const isBilled = monthOf(issued) < monthOf(now);
    const amount = (value: number) => String(value === 0 ? 0 : value);
    return [
      String(id),
      session.id,
      issuer?.kind === "emsp" ? issuer.id : null,
      evse.site.owner.id,
      kind,
      of === null ? null : String(of.id),
      tariff.code,
      String(tariff.version),
      currency,
      amount(signed.energy),
      amount(signed.flat),
      amount(signed.idle),
      amount(signed.discount),
      amount(net),
      rate.toFixed(1),
      amount(tax),
      amount(net + tax),
      isReverse ? "reverse_charge" : null,
      kind === "charge"
        ? null
        : kind === "credit"
          ? random.pick(["dispute", "dispute", "goodwill", "wrong_tariff"])
          : "dispute",
      // At the terminal there is a receipt, and no invoice.
      isBilled && token !== null
        ? `${issuer?.kind === "emsp" ? "B" : "C"}${monthOf(issued).replace("-", "")}-${String((token.id * 31) % 9973).padStart(5, "0")}`
        : null,
      timeText(issued),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    session_id: "text in sessions.id",
    partner_id: "uuid in organizations.id",
    host_id: "uuid in organizations.id",
    kind: "text",
    corrects_id: "integer references charge_records.id",
    tariff_code: "text",
    tariff_version: "integer",
    currency: "text",
    energy_minor: "integer",
    flat_minor: "integer",
    idle_minor: "integer",
    discount_minor: "integer",
    net_minor: "integer",
    vat_rate_pct: "decimal",
    vat_minor: "integer",
    gross_minor: "integer",
    vat_note: "text",
    reason: "text",
    invoice_no: "text",
    issued_at: "time",
  });
  return { name: "charge_records", columns, rows, loads: { column: "issued_at", period: "day" } };
}

/** Firmware is rolled out on some days, and then all start again. */
const rollouts = [Date.parse("2025-10-07"), Date.parse("2025-11-18")];
const errors = {
  Hyperlade: {
    PowerMeterFailure: "E-0117",
    GroundFailure: "E-0203",
    HighTemperature: "W-0031",
    ConnectorLockFailure: "E-0150",
  },
  Wattbox: { EVCommunicationError: "14", ConnectorLockFailure: "22", OverCurrentFailure: "7" },
  Ekoladd: { InternalError: "fel_03", GroundFailure: "fel_11" },
} as Record<string, Record<string, string>>;

export function eventTable(random: Random, evses: readonly Evse[]): CorpusTable {
  type Event = [at: number, evse: Evse, type: string, status: string | null, error: string | null];
  const events: Event[] = [];
  for (const evse of evses) {
    // A few have something loose, and tell it every hour.
    const often = random.chance(0.012) ? 60 : 1;
    const codes = Object.keys(errors[evse.vendor] ?? {});
    for (let day = sessionsFrom; day < now; day += dayMs) {
      const isRollout = rollouts.includes(day) && evse.vendor === "Hyperlade";
      const add = (type: string, status: string | null, error: string | null, from = 0, to = 86_399) =>
        events.push([day + random.between(from, to) * 1000, evse, type, status, error]);
      if (isRollout) {
        add("FirmwareStatusNotification", "Installed", null, 3600, 9000);
        add("BootNotification", null, null, 9001, 10_800);
      }
      if (random.chance(0.012)) add("BootNotification", null, null);
      for (let count = poisson(random, 0.018 * often); count > 0; count--) {
        add("StatusNotification", "Faulted", random.pick(codes));
        if (random.chance(0.85)) add("StatusNotification", "Available", "NoError");
      }
      if (random.chance(0.05))
        add(
          "StatusNotification",
          weighted(random, { Available: 60, Preparing: 25, SuspendedEV: 12, Unavailable: 3 }),
          "NoError",
        );
    }
  }
  const rows = events
    .filter(([at, evse]) => at < now - 60_000 && isThere(evse, at))
    .sort(([a], [b]) => a - b)
    .map(([at, evse, type, status, error], index): Row => {
      const isLate = random.chance(0.01);
      const payload =
        type === "BootNotification"
          ? {
              chargePointVendor: evse.vendor,
              chargePointModel: evse.model,
              ...(evse.vendor === "Wattbox" && { iccid: `8949${digits(random, 15)}` }),
            }
          : status === "Faulted"
            ? {
                connectorId: Number(evse.code.split("*").at(-1)),
                info: random.pick(["see manual §7", "", "auto-reset in 60 s"]),
              }
            : null;
      return [
        String(88_120_000 + index * 3),
        evse.uid,
        timeText(at),
        timeText(Math.min(now, at + (isLate ? random.between(1, 26) * hourMs : random.between(0, 4) * 1000))),
        type,
        status,
        error,
        status === "Faulted" && error ? (errors[evse.vendor]?.[error] ?? null) : null,
        payload === null ? null : JSON.stringify(payload),
      ];
    });
  const columns = columnsOf({
    id: "integer key",
    evse_uid: "uuid in evses.uid",
    occurred_at: "time",
    received_at: "time",
    type: "text",
    status: "text",
    error_code: "text",
    vendor_error: "text",
    payload: "text",
  });
  return { name: "device_events", columns, rows, loads: { column: "occurred_at", period: "day" } };
}

const flags = [
  "billing.idle_fee_v2",
  "app.map_clusters",
  "ocpi.pull_tariffs",
  "evse.auto_reset",
  "evse.load_balancing",
  "host.payout_weekly",
  "legacy.din_ids",
];

/** What it is about is told by two columns: an organization, a site, or a charger. */
export function flagTable(
  random: Random,
  organizations: readonly Organization[],
  sites: readonly Site[],
  evses: readonly Evse[],
): CorpusTable {
  const subjects: [string, string[]][] = [
    ["organization", organizations.map(({ id }) => id)],
    ["site", sites.map(({ id }) => String(id))],
    ["evse", evses.map(({ uid }) => uid)],
  ];
  const rows = flags.flatMap((flag) => {
    const [type, ids] = subjects[flag.startsWith("evse") ? 2 : flag.startsWith("billing") ? 1 : 0] ?? [
      "",
      [],
    ];
    return some(random, ids, flag === "app.map_clusters" ? 4 : random.between(24, 62)).map((subject): Row => {
      const created =
        Date.parse("2023-03-01") +
        Math.floor(random.next() * 1000) * dayMs +
        random.between(25_000, 60_000) * 1000;
      const removed = created + random.between(1, 300) * dayMs;
      const isRemoved = random.chance(0.17) && removed < now;
      return [
        flag,
        type,
        subject,
        String(random.chance(0.8)),
        flag === "evse.load_balancing" ? JSON.stringify({ max_a: random.pick([32, 63, 125, 250]) }) : null,
        random.pick(["k.larsen@plumeria.example", "s.lindqvist@plumeria.example", "system"]),
        timeText(created),
        random.chance(0.1)
          ? "2099-12-31 00:00:00+00"
          : random.chance(0.3)
            ? timeText(created + random.pick([30, 90, 365]) * dayMs)
            : null,
        isRemoved ? timeText(removed) : null,
      ];
    });
  });
  const columns = columnsOf({
    flag_key: "text",
    subject_type: "text",
    subject_id: "text",
    is_enabled: "other",
    payload: "text",
    created_by: "text",
    created_at: "time",
    expires_at: "time",
    deleted_at: "time",
  });
  return { name: "flag_overrides", columns, rows };
}

/** November as a hub's file has it: days first, decimals with a comma, local time, and every column is text. */
export function stagedTable(random: Random, charges: readonly Charge[]): CorpusTable {
  const comma = (value: number, places: number) => value.toFixed(places).replace(".", ",");
  const those = charges.filter(
    ({ session, issued }) => session.token?.issuer.kind === "emsp" && monthOf(issued) === "2025-11",
  );
  const rows = those.map(({ id, session, kind, parts, factor, issued }, index): Row => {
    const { starts, ends, evse, token, energy } = session;
    const local = (moment: number) => {
      const [date = "", time = ""] = new Date(localOf(moment, evse.site.country)).toISOString().split("T");
      return `${date.split("-").reverse().join(".")} ${time.slice(0, 5)}`;
    };
    const net = (parts.energy + parts.flat + parts.idle + parts.discount) * factor;
    return [
      String(index + 2),
      kind === "credit" ? "STORNO" : "CDR",
      `${id}${kind === "credit" ? "-S" : ""}`,
      session.id,
      evse.code,
      token?.contract ?? "",
      local(starts),
      ends === null ? "" : local(ends),
      comma((energy * factor) / 1000, 3),
      comma(net / 100, 2),
      lands[evse.site.country].currency,
      token?.issuer.party ?? "",
      issued - (ends ?? issued) > 80 * 60_000 ? "J" : "N",
      random.chance(0.02) ? `ref. ${letters(random, 1)}${Math.round(heavyTailed(random, 900, 0.4))}` : "",
      "hub_202511.csv",
    ];
  });
  const columns = columnsOf({
    line_no: "text",
    rec_type: "text",
    cdr_id: "text",
    session_id: "text in sessions.id",
    evse_id: "text",
    contract_id: "text",
    start_local: "text",
    end_local: "text",
    kwh: "text",
    net_amount: "text",
    cur: "text",
    partner: "text",
    late: "text",
    remark: "text",
    source_file: "text",
  });
  return { name: "stg_hub_cdrs", columns, rows };
}
