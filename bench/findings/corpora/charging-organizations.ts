import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, digits, letters, some, timeText, uuid } from "../draw.ts";
import { hourMs } from "./calendar.ts";

/** Whose chargers they are, and who sends drivers. */

export const now = Date.parse("2025-12-05T06:40:00Z");
export const today = Date.parse("2025-12-05");

export type Country = "DE" | "CH" | "AT" | "NL" | "SE" | "GB";

export const lands: Record<
  Country,
  { zone: string; currency: string; vat: number; at: [number, number]; dial: string }
> = {
  DE: { zone: "Europe/Berlin", currency: "EUR", vat: 19, at: [50.4, 9.8], dial: "49" },
  CH: { zone: "Europe/Zurich", currency: "CHF", vat: 8.1, at: [46.9, 8], dial: "41" },
  AT: { zone: "Europe/Vienna", currency: "EUR", vat: 20, at: [47.6, 14], dial: "43" },
  NL: { zone: "Europe/Amsterdam", currency: "EUR", vat: 21, at: [52.1, 5.3], dial: "31" },
  SE: { zone: "Europe/Stockholm", currency: "SEK", vat: 25, at: [59, 15.5], dial: "46" },
  GB: { zone: "Europe/London", currency: "GBP", vat: 20, at: [52.4, -1.6], dial: "44" },
};

/** Clocks go back on the last Sunday of October. */
export const localOf = (moment: number, country: Country): number =>
  moment + ((moment < Date.parse("2025-10-26T01:00:00Z") ? 2 : 1) - Number(country === "GB")) * hourMs;

export type Organization = {
  id: string;
  name: string;
  slug: string;
  kind: "platform" | "host" | "emsp" | "fleet" | "internal";
  country: Country;
  party: string | null;
  parent: Organization | null;
  into: Organization | null;
  created: number;
  deleted: number | null;
};

const hosts: Record<Country, { heads: string[]; places: string[] }> = {
  DE: {
    heads: ["Stadtwerke", "Hotel", "Parkhaus", "Möbel", "Autohof", "Autohaus"],
    places:
      "Altenau,Altena,Brunnthal,Bruntal,Höxter,Immenstadt,Kelheim,Kelkheim,Maulbronn,Tübingen-Süd,Zeven,Übersee".split(
        ",",
      ),
  },
  CH: {
    heads: ["Bergbahnen", "Hotel", "Gemeinde", "Garage"],
    places: ["Celerina", "Flüelen", "Näfels", "Pfäffikon", "Rüti", "Uster", "Wädenswil"],
  },
  AT: {
    heads: ["Bergbahnen", "Stadtwerke", "Hotel", "Autohaus"],
    places: ["Hallstatt", "Sölden", "Zwettl", "Gmünd", "Gmunden", "Sankt Veit"],
  },
  NL: {
    heads: ["Gemeente", "Garage", "Hotel", "Tuincentrum"],
    places: ["Driebergen", "Oostzaan", "'s-Graveland", "Uden"],
  },
  SE: {
    heads: ["Kommun", "Hotell", "Köpcentrum"],
    places: ["Enköping", "Gällivare", "Långsele", "Västervik", "Ålsten"],
  },
  GB: {
    heads: ["Garden Centre", "Hotel", "Retail Park"],
    places: ["St Ives", "St. Ives (Cambs)", "Ely", "Thame"],
  },
};
const partners = [
  "Volteo",
  "ChargeCircle",
  "Elvy",
  "NextPlug",
  "Plugsurge",
  "E-Fahrt",
  "ladeweg",
  "Strøm+",
  "Recharge & Go",
  "TankNul",
  "GridPass",
  "Mobilio",
  "Amperia",
  "Ampéria France",
  "KWH24",
  "JuicyLane",
];

export function organizationsOf(random: Random): Organization[] {
  const all: Organization[] = [];
  const add = (
    name: string,
    kind: Organization["kind"],
    country: Country,
    more: Partial<Organization> = {},
  ) => {
    const slug = name
      .normalize("NFD")
      .replace(/[^\w ]/g, "")
      .trim()
      .toLowerCase()
      .replace(/ +/g, "-");
    const created =
      Date.parse("2019-05-01") +
      Math.round(random.next() ** 0.7 * 2300) * dayMs +
      random.between(7, 18) * hourMs;
    const one: Organization = {
      id: uuid(random),
      name,
      slug,
      kind,
      country,
      party: null,
      parent: null,
      into: null,
      created,
      deleted: null,
      ...more,
    };
    all.push(one);
    return one;
  };
  add("Plumeria Charging", "platform", "DE", {
    party: "DE*PLB",
    created: Date.parse("2019-04-02T08:00:00Z"),
  });
  add("Plumeria QA", "internal", "DE", { created: Date.parse("2019-04-03T08:00:00Z") });
  for (const name of partners) {
    const country = random.pick(["DE", "NL", "AT", "CH", "SE", "GB", "DE"] as const);
    add(name, "emsp", country, { party: `${country}*${letters(random, 3)}` });
  }
  // A partner that another bought keeps its cards.
  const [first, second] = [all[3], all[5]];
  if (first && second) {
    first.into = second;
    first.deleted = Date.parse("2024-07-01T00:00:00Z");
  }
  for (const [land, { heads, places }] of Object.entries(hosts))
    for (const place of places)
      for (const head of some(random, heads, random.between(2, heads.length))) {
        const country = land as Country;
        const able = all.filter(
          (each) => each.kind === "host" && each.country === country && each.parent === null,
        );
        const parent = able.length > 0 && random.chance(0.14) ? random.pick(able) : null;
        const one = add(`${head} ${place}`, random.chance(0.1) ? "fleet" : "host", country, { parent });
        if (parent) one.created = Math.max(one.created, parent.created + 3 * dayMs);
        const gone = one.created + random.between(300, 1300) * dayMs;
        if (random.chance(0.1) && gone < now - 60 * dayMs) one.deleted = gone;
      }
  return all;
}

export function organizationTable(random: Random, organizations: readonly Organization[]): CorpusTable {
  const rows = organizations.map((each): Row => {
    const { id, name, slug, kind, country, party, parent, into, created, deleted } = each;
    const settings = {
      locale: country === "GB" ? "en" : country === "SE" ? "sv" : country === "NL" ? "nl" : "de",
      ...(kind === "host" && {
        payout: random.pick(["monthly", "monthly", "quarterly"]),
        share: random.pick([0.7, 0.8, 0.85]),
      }),
      ...(kind === "emsp" && { ocpi: random.pick(["2.1.1", "2.2.1", "2.2.1"]) }),
      ...(random.chance(0.08) && { beta: true }),
    };
    const touched = deleted ?? created + random.next() ** 3 * (now - 2 * hourMs - created);
    return [
      id,
      name,
      slug,
      kind,
      country,
      party,
      kind === "internal" || random.chance(0.04) ? null : vatNumbers[country](random),
      parent?.id ?? null,
      into?.id ?? null,
      `billing@${slug}.example`,
      JSON.stringify(settings),
      timeText(created),
      timeText(touched),
      deleted === null ? null : timeText(deleted),
    ];
  });
  const columns = columnsOf({
    id: "uuid key",
    display_name: "text",
    slug: "text",
    kind: "text",
    country_code: "text",
    party_id: "text",
    vat_number: "text",
    parent_id: "uuid references organizations.id",
    merged_into_id: "uuid references organizations.id",
    billing_email: "text",
    settings: "text",
    created_at: "time",
    updated_at: "time",
    deleted_at: "time",
  });
  return { name: "organizations", columns, rows };
}

const vatNumbers: Record<Country, (random: Random) => string> = {
  DE: (random) => `DE${digits(random, 9)}`,
  CH: (random) => `CHE-${digits(random, 3)}.${digits(random, 3)}.${digits(random, 3)} MWST`,
  AT: (random) => `ATU${digits(random, 8)}`,
  NL: (random) => `NL${digits(random, 9)}B0${random.between(1, 3)}`,
  SE: (random) => `SE${digits(random, 10)}01`,
  GB: (random) => `GB${digits(random, 9)}`,
};
