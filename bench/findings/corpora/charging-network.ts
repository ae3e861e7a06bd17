import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, letters, mostlyFirst, timeText, uuid, weighted } from "../draw.ts";
import { hourMs } from "./calendar.ts";
import { type Country, lands, now, type Organization, today } from "./charging-organizations.ts";

/** Where chargers stand, and the chargers themselves. */

export type Site = {
  id: number;
  owner: Organization;
  name: string;
  kind: "street" | "retail" | "highway" | "hotel" | "depot" | "ski" | "garage";
  country: Country;
  launched: number;
  closed: number | null;
};

const spots: Record<Country, string[]> = {
  DE: ["Bahnhof", "Nord", "Süd", "P1", "P2", "Marktplatz", "Zentrum"],
  CH: ["Bahnhof", "Dorfplatz", "P1", "Gare"],
  AT: ["Bahnhof", "Hauptplatz", "P1", "P2"],
  NL: ["Station", "Centrum", "P1", "P+R"],
  SE: ["Torget", "Centralstation", "P1", "Norra"],
  GB: ["High Street", "Car Park", "Station", "North"],
};

export function sitesOf(random: Random, organizations: readonly Organization[]): Site[] {
  const owners = organizations.filter(({ kind }) => kind === "host" || kind === "fleet");
  return Array.from({ length: 212 }, (_, index): Site => {
    const owner = mostlyFirst(random, owners, 1.2);
    const kind =
      owner.kind === "fleet"
        ? "depot"
        : owner.name.startsWith("Bergbahnen")
          ? "ski"
          : owner.name.startsWith("Hotel")
            ? "hotel"
            : (weighted(random, { street: 40, retail: 25, highway: 12, garage: 18 }) as Site["kind"]);
    const span = today - 40 * dayMs - owner.created;
    const launched =
      Math.floor((owner.created + (0.03 + 0.97 * random.next() ** 1.3) * span) / dayMs) * dayMs;
    const closed = Math.floor((owner.deleted ?? 0) / dayMs) * dayMs;
    return {
      id: 1000 + index * 3 + random.between(0, 2),
      owner,
      name: `${owner.name.split(" ").slice(1).join(" ")} ${random.pick(spots[owner.country])}`,
      kind,
      country: owner.country,
      // Where the owner left, it had been open for a while.
      launched: owner.deleted === null ? launched : Math.min(launched, closed - 150 * dayMs),
      closed: owner.deleted === null ? null : closed,
    };
  });
}

/** Without hours it is always open; who skis comes in winter. */
export function siteTable(random: Random, sites: readonly Site[]): CorpusTable {
  const rows = sites.map(({ id, owner, name, kind, country, launched, closed }): Row => {
    const { zone, at } = lands[country];
    const isShut = kind === "retail" || (kind === "garage" && random.chance(0.5));
    const hours = isShut
      ? {
          mon_sat: random.pick(["07:00-21:00", "08:00-20:00", "06:00-24:00"]),
          sun: random.pick([null, "09:00-18:00"]),
        }
      : null;
    const street = {
      DE: "Hauptstraße",
      CH: "Bahnhofstrasse",
      AT: "Hauptplatz",
      NL: "Stationsweg",
      SE: "Storgatan",
      GB: "Station Road",
    }[country];
    return [
      String(id),
      owner.id,
      name,
      kind,
      `${street} ${random.between(1, 190)}${random.chance(0.1) ? random.pick(["a", "b"]) : ""}`,
      posts[country](random),
      country,
      (at[0] + (random.next() - 0.5) * 2.2).toFixed(5),
      (at[1] + (random.next() - 0.5) * 2.6).toFixed(5),
      zone,
      hours === null ? null : JSON.stringify(hours),
      kind === "ski" ? JSON.stringify({ from: "12-01", to: "04-20" }) : null,
      kind === "garage" ? String(random.pick([-1, -1, -2, -3, 0, 1])) : null,
      String(kind !== "depot"),
      dateText(launched),
      closed === null ? null : dateText(closed),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    organization_id: "uuid references organizations.id",
    name: "text",
    kind: "text",
    street: "text",
    postal_code: "text",
    country_code: "text",
    latitude: "float",
    longitude: "float",
    time_zone: "text",
    opening_hours: "text",
    season: "text",
    parking_level: "integer",
    is_public: "other",
    launched_on: "date",
    decommissioned_on: "date",
  });
  return { name: "sites", columns, rows };
}

const posts: Record<Country, (random: Random) => string> = {
  DE: (random) => `${random.pick(["0", "1", "3", "7", "8"])}${digits(random, 4)}`,
  CH: (random) => String(random.between(1000, 9658)),
  AT: (random) => String(random.between(1010, 9992)),
  NL: (random) => `${random.between(1000, 9999)} ${letters(random, 2)}`,
  SE: (random) => `${random.between(100, 984)} ${digits(random, 2)}`,
  GB: (random) =>
    `${letters(random, 2)}${random.between(1, 28)} ${random.between(1, 9)}${letters(random, 2)}`,
};

export type Evse = {
  uid: string;
  code: string;
  site: Site;
  plug: "Type2" | "CCS2" | "CHAdeMO" | "Schuko";
  power: number;
  vendor: string;
  model: string;
  serial: string;
  firmware: string;
  installed: number;
  removed: number | null;
  replaces: Evse | null;
  isV2g: boolean;
  /** Since when it has not been heard of. */
  silent: number | null;
};

const renamed = Date.parse("2022-01-01");
const vendors = {
  Hyperlade: {
    serial: (r: Random) => `HL${digits(r, 8)}`,
    firmware: ["3.8.1", "3.9.0", "3.9.0", "4.0.0-rc2"],
  },
  Wattbox: {
    serial: (r: Random) => `${letters(r, 2)}-${digits(r, 4)}-${digits(r, 4)}`,
    firmware: ["R24B", "R25A", "R25A"],
  },
  Ekoladd: { serial: (r: Random) => digits(r, 12), firmware: ["1.14.2", "1.14.2", "1.9.7"] },
};

const modelOf = (vendor: string, power: number): string =>
  power === 10
    ? "V2X 10"
    : vendor === "Hyperlade"
      ? `HL-${power > 150 ? 300 : 150}`
      : vendor === "Ekoladd"
        ? "Ö22"
        : power > 11
          ? "W22 Pro"
          : "W11";

/** What is replaced gets a new row, and keeps the sticker that drivers see. */
export function evsesOf(random: Random, sites: readonly Site[]): Evse[] {
  const evses: Evse[] = [];
  let serial = 1041;
  for (const site of sites) {
    const isFast = site.kind === "highway" || (site.kind === "retail" && random.chance(0.4));
    serial += random.between(1, 4);
    const count = isFast
      ? random.between(2, 8)
      : site.kind === "depot"
        ? random.between(3, 10)
        : random.between(1, 4);
    const vendor = isFast ? "Hyperlade" : random.pick(["Wattbox", "Wattbox", "Ekoladd"] as const);
    const made = vendors[vendor];
    for (let at = 1; at <= count; at++) {
      const isV2g = site.kind === "depot" && site.id % 4 === 1 && at === 1;
      const plug = isV2g
        ? "CHAdeMO"
        : isFast
          ? random.chance(0.06)
            ? "CHAdeMO"
            : "CCS2"
          : random.chance(0.02)
            ? "Schuko"
            : "Type2";
      const power =
        plug === "Schuko"
          ? 3.7
          : isV2g
            ? 10
            : plug === "CHAdeMO"
              ? 50
              : isFast
                ? random.pick([150, 150, 300, 300, 400])
                : vendor === "Wattbox"
                  ? random.pick([11, 22, 22])
                  : 22;
      const code =
        site.launched < renamed
          ? `+${lands[site.country].dial}*839*${String(serial).padStart(6, "0")}*${at}`
          : `${site.country}*PLB*E${serial}${digits(random, 3)}*${at}`;
      const broken = site.launched + random.between(300, 1500) * dayMs;
      const removed = site.closed ?? (random.chance(0.11) && broken < today - 30 * dayMs ? broken : null);
      const one: Evse = {
        uid: uuid(random),
        code,
        site,
        plug,
        power,
        vendor,
        model: modelOf(vendor, power),
        serial: made.serial(random),
        firmware: random.pick(made.firmware),
        installed: site.launched,
        removed,
        replaces: null,
        isV2g,
        silent: random.chance(0.03) ? now - random.between(2, 40) * dayMs : null,
      };
      evses.push(one);
      if (removed !== null && site.closed === null)
        evses.push({
          ...one,
          uid: uuid(random),
          serial: made.serial(random),
          firmware: made.firmware[1] ?? "",
          installed: removed,
          removed: null,
          replaces: one,
        });
    }
  }
  return evses;
}

/** Only German law wants a seal on meters. */
export function evseTable(random: Random, evses: readonly Evse[]): CorpusTable {
  const rows = evses.map((each): Row => {
    const {
      uid,
      code,
      site,
      plug,
      power,
      vendor,
      model,
      serial,
      firmware,
      installed,
      removed,
      replaces,
      isV2g,
      silent,
    } = each;
    const isDark = silent !== null && removed === null;
    const last = silent ?? now - random.between(4, 880) * 1000;
    return [
      uid,
      code,
      String(site.id),
      plug,
      power.toFixed(1),
      plug === "Type2" ? "3" : plug === "Schuko" ? "1" : null,
      String(plug === "CCS2" || plug === "CHAdeMO"),
      vendor,
      model,
      serial,
      firmware,
      site.country === "DE" && removed === null
        ? dateText(Date.UTC(new Date(installed).getUTCFullYear() + 8, 11, 31))
        : null,
      replaces?.uid ?? null,
      isV2g
        ? '{"v2g":true}'
        : random.chance(0.04)
          ? JSON.stringify({
              power_limit_kw: random.pick(power > 50 ? [50, 100] : [3.7, 7.4]),
              reason: random.pick(["grid", "cable", "host"]),
            })
          : "{}",
      timeText(installed + random.between(8, 16) * hourMs),
      removed === null ? null : timeText(removed + 7 * hourMs),
      removed !== null ? null : timeText(last),
      // 0 is removed, 1 in service, 2 not heard of.
      removed === null ? (isDark ? "2" : "1") : "0",
    ];
  });
  const columns = columnsOf({
    uid: "uuid key",
    evse_id: "text",
    site_id: "integer references sites.id",
    connector: "text",
    power_kw: "decimal",
    phases: "integer",
    has_cable: "other",
    vendor: "text",
    model: "text",
    serial_number: "text",
    firmware_version: "text",
    calibrated_until: "date",
    replaces_uid: "uuid references evses.uid",
    config: "text",
    installed_at: "time",
    removed_at: "time",
    last_heartbeat_at: "time",
    state: "integer",
  });
  return { name: "evses", columns, rows };
}

export const isThere = ({ installed, removed, silent }: Evse, moment: number): boolean =>
  moment > installed + dayMs &&
  (removed === null || moment < removed - dayMs) &&
  (removed !== null || silent === null || moment < silent);
