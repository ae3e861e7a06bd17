import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  mostlyFirst,
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import { hourMs, weekdayOf } from "./calendar.ts";
import { type Evse, isThere } from "./charging-network.ts";
import { localOf, now, type Organization } from "./charging-organizations.ts";
import { type Tariff, tariffFor } from "./charging-tariffs.ts";

/** Cards and who charged with them. */

/** Sessions before are in the warehouse. */
export const sessionsFrom = Date.parse("2025-09-15");

export type Token = {
  id: number;
  uid: string;
  kind: "RFID" | "APP_USER" | "EMAID" | "OTHER";
  contract: string;
  issuer: Organization;
  created: number;
  blocked: number | null;
  reason: string | null;
  expires: number | null;
};

/** A contract may have several cards, of which one was lost. */
export function tokensOf(random: Random, organizations: readonly Organization[]): Token[] {
  const issuers = organizations.filter(
    ({ kind, deleted, into }) =>
      (kind === "platform" || kind === "emsp" || kind === "fleet") && (deleted === null || into !== null),
  );
  const tokens: Token[] = [];
  const contracts = new Map<string, Token>();
  for (let id = 1; id <= 1650; id++) {
    const issuer = random.chance(0.45) ? (issuers[0] as Organization) : mostlyFirst(random, issuers, 1.5);
    const from = Math.max(issuer.created, Date.parse("2019-08-01"));
    const created = from + dayMs + Math.round(random.next() ** 0.6 * (now - 4 * dayMs - from));
    if (created > (issuer.deleted ?? Infinity)) continue;
    const kind = weighted(random, { RFID: 58, APP_USER: 34, EMAID: 7, OTHER: 0.6 }) as Token["kind"];
    const isOld = created < Date.parse("2021-06-01");
    const serial = `C${digits(random, 8)}`;
    const party = issuer.party?.replace("*", isOld ? "" : "-") ?? `DE${isOld ? "" : "-"}PLB`;
    const before = contracts.get(issuer.id);
    const isSecond = before !== undefined && kind === "RFID" && random.chance(0.1);
    const issued = isSecond ? Math.max(created, before.created + dayMs) : created;
    const blocked = random.chance(0.05) ? issued + random.between(10, 900) * dayMs : null;
    const isBlocked = blocked !== null && blocked < now;
    // What is in a car is renewed every two years, or ends.
    const terms = random.chance(0.85) ? Math.ceil((now - issued) / (730 * dayMs)) : 1;
    const token: Token = {
      id,
      // Seven bytes since about 2015, and four before; an app has a number of its own.
      uid:
        kind === "RFID"
          ? random.chance(0.9)
            ? `04${hex(random, 12)}`
            : hex(random, 8)
          : kind === "APP_USER"
            ? `app:${hex(random, 16).toLowerCase()}`
            : `${kind === "OTHER" ? "TEST" : "PNC"}${hex(random, 10)}`,
      kind,
      contract: isSecond
        ? before.contract
        : isOld
          ? `${party}${serial}`
          : `${party}-${serial}-${random.pick([..."0123456789ABCDEFGHKX"])}`,
      issuer,
      created: issued,
      blocked: isBlocked ? blocked : null,
      reason: isBlocked ? weighted(random, { lost: 50, unpaid: 30, contract_ended: 18, fraud: 2 }) : null,
      expires: kind === "EMAID" ? issued + terms * 730 * dayMs : null,
    };
    if (token.created >= now - dayMs) continue;
    contracts.set(issuer.id, token);
    tokens.push(token);
  }
  tokens.sort((a, b) => a.created - b.created);
  for (const [index, token] of tokens.entries()) token.id = 20_000 + index;
  return tokens;
}

const hex = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick([..."0123456789ABCDEF"])).join("");

/** When a card was used last is copied from the sessions, or is older than these. */
export function tokenTable(
  random: Random,
  tokens: readonly Token[],
  sessions: readonly Session[],
): CorpusTable {
  const last = new Map<Token, number>();
  for (const { token, starts } of sessions)
    if (token) last.set(token, Math.max(last.get(token) ?? 0, starts));
  const rows = tokens.map((token): Row => {
    const { id, uid, kind, contract, issuer, created, blocked, reason, expires } = token;
    const end = Math.min(blocked ?? Infinity, expires ?? Infinity, sessionsFrom);
    const older = end > created && random.chance(0.7) ? created + random.next() * (end - created) : null;
    const used = last.get(token) ?? older;
    return [
      String(id),
      uid,
      kind,
      contract,
      issuer.id,
      // What is printed on the card.
      kind === "RFID" ? `${issuer.party?.slice(-3) ?? "PLB"}${String(id * 37).padStart(8, "0")}` : null,
      weighted(random, { de: 60, en: 20, nl: 9, sv: 7, fr: 4 }),
      expires === null ? null : timeText(expires),
      blocked === null ? null : timeText(blocked),
      reason,
      timeText(created),
      used === null ? null : timeText(used),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    uid: "text",
    kind: "text",
    contract_id: "text",
    issuer_id: "uuid references organizations.id",
    visual_number: "text",
    language: "text",
    expires_at: "time",
    blocked_at: "time",
    block_reason: "text",
    created_at: "time",
    last_used_at: "time",
  });
  return { name: "tokens", columns, rows };
}

export type Session = {
  id: string;
  evse: Evse;
  token: Token | null;
  method: string;
  tariff: Tariff;
  starts: number;
  ends: number | null;
  meter: number;
  energy: number;
  peak: number;
  soc: [number, number] | null;
  /** In minutes, after it was full. */
  idle: number;
  reason: string | null;
  status: 10 | 20 | 30 | 40;
};

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Ten characters of time, and sixteen by chance. */
function ulid(random: Random, moment: number): string {
  let [rest, text] = [moment, ""];
  for (let at = 0; at < 10; at++) {
    text = `${crockford[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return `${text}${Array.from({ length: 16 }, () => random.pick([...crockford])).join("")}`;
}

const gaps = { street: 108, retail: 92, highway: 41, hotel: 140, depot: 82, ski: 90, garage: 124 };

/** One after the other at each charger; the meter goes on counting. */
export function sessionsOf(random: Random, evses: readonly Evse[], tokens: readonly Token[]): Session[] {
  const sessions: Session[] = [];
  const tests = tokens.filter(({ kind }) => kind === "OTHER");
  const real = tokens.filter(({ kind }) => kind !== "OTHER");
  for (const evse of evses) {
    const { site, power, isV2g, plug } = evse;
    const isDc = plug === "CCS2" || plug === "CHAdeMO";
    let meter = Math.round(
      Math.max(0, (sessionsFrom - evse.installed) / dayMs) * (isDc ? 41_000 : 9_000) * (0.4 + random.next()),
    );
    const usual = gaps[site.kind] * heavyTailed(random, 1, 0.5);
    const regulars = Array.from({ length: 5 }, () => random.pick(real));
    for (let at = Math.max(sessionsFrom, evse.installed + dayMs); ; ) {
      at += Math.round(-Math.log(1 - random.next()) * usual * hourMs);
      if (at > now) break;
      const local = localOf(at, site.country);
      const hour = new Date(local).getUTCHours();
      const isSunday = weekdayOf(local) === 0;
      const isAwake =
        random.chance(hour < 6 ? 0.07 : hour < 9 ? 0.6 : 1) &&
        !(isSunday && site.kind === "retail" && random.chance(0.9));
      const isInSeason = site.kind !== "ski" || at > Date.parse("2025-12-01");
      if (!isThere(evse, at) || !isAwake || !isInSeason) continue;
      const isTest = random.chance(0.002) && tests.length > 0;
      const token = isTest
        ? random.pick(tests)
        : random.chance(0.4)
          ? random.pick(regulars)
          : random.pick(real);
      const isAdHoc = !isTest && site.kind !== "depot" && random.chance(isDc ? 0.24 : 0.08);
      if (
        !isAdHoc &&
        (token.created > at || Math.min(token.blocked ?? Infinity, token.expires ?? Infinity) < at)
      )
        continue;
      const isPartner = !isAdHoc && token.issuer.kind === "emsp";
      if (isPartner && site.kind === "depot") continue;
      const isFailed = random.chance(0.035);
      const back = isV2g && meter > 60_000 && random.chance(0.3);
      const need = Math.min(95_000, heavyTailed(random, isDc ? 31_000 : 17_000, 0.55));
      // Cars take what they can.
      const peak = isFailed
        ? 0
        : isDc
          ? Math.min(power, 38 + random.next() ** 1.6 * 240)
          : Math.min(power, random.pick([3.6, 7.2, 11, 11, 11, 22]));
      const mean = peak * (isDc ? 0.62 : 0.93);
      const charging = isFailed
        ? random.between(8, 110) / 3600
        : Math.min(need / 1000 / mean, (isDc ? 2.4 : 11) * (0.7 + 0.3 * random.next()));
      const energy = isFailed
        ? random.between(0, 40)
        : Math.round(charging * mean * 1000 * (0.97 + random.next() * 0.03)) * (back ? -1 : 1);
      const idle =
        isFailed || random.chance(isDc ? 0.75 : 0.45)
          ? 0
          : Math.round(heavyTailed(random, isDc ? 12 : 95, 1));
      const seconds = Math.max(5, Math.round(charging * 3600 + Math.min(idle, 2600) * 60));
      const ends = at + seconds * 1000;
      const isActive = ends > now;
      const full = Math.abs(energy) / random.pick([380, 580, 640, 770, 1000]);
      // Many stop at 80.
      const most = random.pick([80, 80, 80, 90, 100, random.between(70, 99)]);
      const low = Math.round(Math.max(2, Math.min(most - full, random.between(6, 55))));
      const high = Math.min(100, low + Math.round(full));
      const hasSoc = isDc && !isFailed && evse.firmware !== "3.8.1" && full < 78;
      sessions.push({
        id: ulid(random, at),
        evse,
        token: isAdHoc ? null : token,
        method: isAdHoc
          ? "TERMINAL"
          : token.kind === "APP_USER"
            ? "APP"
            : token.kind === "EMAID"
              ? "PNC"
              : "RFID",
        tariff: tariffFor(
          site,
          power,
          isAdHoc ? "ADHOC" : isPartner ? "ROAM" : site.kind === "depot" ? "STAFF" : "PUB",
          at,
        ),
        starts: at,
        ends: isActive ? null : ends,
        meter,
        energy: isActive ? 0 : energy,
        peak,
        soc: hasSoc ? (back ? [high, low] : [low, high]) : null,
        idle: Math.min(idle, 2600),
        reason: isActive
          ? null
          : isFailed
            ? random.pick(["EVDisconnected", "Other", "DeAuthorized"])
            : weighted(random, {
                EVDisconnected: 52,
                Local: 30,
                Remote: 16,
                PowerLoss: 0.8,
                EmergencyStop: 0.4,
                UnlockCommand: 0.8,
              }),
        status: isActive ? 10 : isFailed ? 30 : random.chance(0.004) ? 40 : 20,
      });
      if (isActive) break;
      meter += energy;
      at = ends;
    }
  }
  return sessions.sort((a, b) => a.starts - b.starts);
}

/** The hub was down: what ended in the meantime came hours later. */
const hubDown = [Date.parse("2025-11-11T14:00:00Z"), Date.parse("2025-11-11T19:20:00Z")] as const;

/** A running one has no end yet. The state of a battery is only told by direct current. */
export function sessionTable(random: Random, sessions: readonly Session[]): CorpusTable {
  const rows = sessions.map((session): Row => {
    const { id, evse, token, method, tariff, starts, ends, meter, energy, peak, soc, reason, status } =
      session;
    const isDown = ends !== null && ends > hubDown[0] && ends < hubDown[1];
    const synced =
      (isDown ? hubDown[1] : (ends ?? now - random.between(5, 250) * 1000)) + random.between(1, 55) * 1000;
    const telemetry = {
      ocpp: evse.vendor === "Hyperlade" ? "2.0.1" : "1.6",
      ...(evse.vendor !== "Ekoladd" && { rssi: -random.between(51, 109) }),
      ...(isDown && { offline: true }),
      ...(evse.isV2g && { direction: energy < 0 ? "export" : "import" }),
    };
    return [
      id,
      evse.uid,
      token === null ? null : String(token.id),
      method,
      tariff.code,
      String(tariff.version),
      timeText(starts),
      ends === null ? null : timeText(ends),
      dateText(localOf(starts, evse.site.country)),
      ends === null ? null : String(Math.round((ends - starts) / 1000)),
      String(meter),
      ends === null ? null : String(meter + energy),
      ends === null ? null : String(energy),
      status === 30 || ends === null
        ? null
        : Math.min(evse.power, peak * (1 + normal(random) * 0.01)).toFixed(1),
      soc === null ? null : String(soc[0]),
      soc === null || ends === null ? null : String(soc[1]),
      reason,
      String(status),
      random.chance(0.013) && status === 20 ? `RSV-${letters(random, 2)}${digits(random, 5)}` : null,
      JSON.stringify(telemetry),
      timeText(Math.min(now, synced)),
    ];
  });
  const columns = columnsOf({
    id: "text key",
    evse_uid: "uuid in evses.uid",
    token_id: "integer in tokens.id",
    auth_method: "text",
    tariff_code: "text",
    tariff_version: "integer",
    started_at: "time",
    ended_at: "time",
    local_date: "date",
    duration_s: "integer",
    meter_start_wh: "integer",
    meter_stop_wh: "integer",
    energy_wh: "integer",
    peak_kw: "decimal",
    soc_start_pct: "integer",
    soc_end_pct: "integer",
    stop_reason: "text",
    status: "integer",
    reservation_no: "text",
    telemetry: "text",
    synced_at: "time",
  });
  return { name: "sessions", columns, rows, loads: { column: "started_at", period: "day" } };
}
