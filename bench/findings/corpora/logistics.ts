import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  maybe,
  mostlyFirst,
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import { containerNumber, ean13, iban } from "./codes.ts";
import { firstName, lastName, plain } from "./names.ts";
import { phone, placesOf } from "./places.ts";

const now = Date.parse("2025-09-12T06:00:00Z");

/** Codes of all sorts, with and without check digits, of several countries. Nothing is declared. */
export function logistics(seed: number): CorpusDatabase {
  const random = new Random(seed);
  const places = placesOf(random, 500);
  const partners = partnersOf(random, places);
  return {
    name: "logistics",
    now,
    tables: [partners, articlesOf(random), shipmentsOf(random, partners.rows, places), movesOf(random)],
  };
}

type Places = ReturnType<typeof placesOf>;

function partnersOf(random: Random, places: Places): CorpusTable {
  const countries = ["DE", "NL", "GB", "AT", "PL", "SE"];
  const european = places.filter(({ country }) => countries.includes(country));
  const rows = Array.from({ length: 700 }, (_, index): Row => {
    const { country, city, codes, latitude, longitude } = mostlyFirst(random, european, 1.4);
    const name = lastName(random);
    return [
      `P${String(10_000 + index * 11)}`,
      `${name} ${random.pick(["Logistics", "Trading", "Foods", "Parts", "& Co."])}`,
      country,
      city,
      random.pick(codes),
      iban(random, country),
      `${letters(random, 4)}${country}${random.pick(["2L", "22", "FF", "2A"])}${random.chance(0.3) ? "XXX" : ""}`,
      maybe(random, 0.9, () => `${country}${digits(random, 9)}`),
      `office@${plain(name)}${index}.example`,
      maybe(random, 0.6, () => `https://www.${plain(name)}${index}.example/`),
      phone(random, country),
      (latitude + normal(random) * 0.01).toFixed(6),
      (longitude + normal(random) * 0.01).toFixed(6),
    ];
  });
  const columns = columnsOf({
    partner_no: "text",
    name: "text",
    country: "text",
    city: "text",
    postcode: "text",
    iban: "text",
    bic: "text",
    vat_id: "text",
    email: "text",
    url: "text",
    phone: "text",
    latitude: "decimal",
    longitude: "decimal",
  });
  return { name: "partners", columns, rows };
}

function articlesOf(random: Random): CorpusTable {
  const groups = {
    "8471.30": "Computers",
    "6109.10": "Shirts",
    "0901.21": "Coffee",
    "9403.60": "Furniture",
    "3304.99": "Cosmetics",
  } as const;
  const codes = Object.keys(groups) as (keyof typeof groups)[];
  const rows = Array.from({ length: 1500 }, (_, index): Row => {
    const code = mostlyFirst(random, codes, 1.5);
    const net = heavyTailed(random, 2, 1);
    return [
      String(500_100 + index),
      ean13(random),
      `${groups[code].replace(/s$/, "")} ${letters(random, 3)} ${random.between(1, 90)}`,
      code,
      groups[code],
      mostlyFirst(random, ["CN", "DE", "VN", "IT", "BR", "TR", "PT"], 1.6),
      net.toFixed(3),
      (net * (1.02 + random.next() * 0.2) + 0.001).toFixed(3),
      weighted(random, { "1": 50, "6": 20, "12": 20, "24": 9, "144": 1 }),
    ];
  });
  return {
    name: "articles",
    columns: columnsOf({
      article_no: "integer",
      ean: "text",
      name: "text",
      hs_code: "text",
      product_group: "text",
      origin: "text",
      net_kg: "decimal",
      gross_kg: "decimal",
      per_box: "integer",
    }),
    rows,
  };
}

function shipmentsOf(random: Random, partners: Row[], places: Places): CorpusTable {
  const carriers = { DHX: 50, Postal: 30, Speedy: 19, Courier24: 1 };
  const rows = Array.from({ length: 9000 }, (_, index): Row => {
    const { country, city, codes } = mostlyFirst(random, places, 1.5);
    const [length, width, height] = [random.between(10, 120), random.between(10, 80), random.between(5, 60)];
    const sent = now - ((9000 - index) / 9000) * 200 * dayMs;
    const isThere = now - sent > (1 + heavyTailed(random, 2, 0.5)) * dayMs;
    return [
      // One digit more, since the counter passed a million.
      `TR${995_000 + index}`,
      weighted(random, carriers),
      mostlyFirst(random, partners, 2)[0] ?? null,
      `${firstName(random)} ${lastName(random)}`,
      country,
      city,
      random.pick(codes),
      phone(random, country),
      maybe(random, 0.05, () => "Leave with neighbor"),
      heavyTailed(random, 3, 1).toFixed(2),
      String(length),
      String(width),
      String(height),
      String(length * width * height),
      timeText(sent),
      isThere ? timeText(sent + (0.5 + random.next()) * dayMs) : null,
      isThere ? "delivered" : "in transit",
    ];
  });
  const columns = columnsOf({
    tracking_no: "text",
    carrier: "text",
    sender_no: "text in partners.partner_no",
    receiver: "text",
    country: "text",
    city: "text",
    postcode: "text",
    phone: "text",
    instructions: "text",
    weight_kg: "decimal",
    length_cm: "integer",
    width_cm: "integer",
    height_cm: "integer",
    volume_cm3: "integer",
    shipped_at: "time",
    delivered_at: "time",
    state: "text",
  });
  return { name: "shipments", columns, rows };
}

function movesOf(random: Random): CorpusTable {
  const ports = {
    DEHAM: "Hamburg",
    NLRTM: "Rotterdam",
    SEGOT: "Göteborg",
    PLGDN: "Gdańsk",
    GBFXT: "Felixstowe",
    CNSHA: "Shanghai",
  } as const;
  const codes = Object.keys(ports) as (keyof typeof ports)[];
  const boxes = Array.from({ length: 700 }, () => ({
    number: containerNumber(random),
    type: weighted(random, { "22G1": 40, "42G1": 40, "45G1": 18, "22T0": 2 }),
  }));
  const rows = Array.from({ length: 4000 }, (_, index): Row => {
    const { number, type } = random.pick(boxes);
    const port = mostlyFirst(random, codes, 1.5);
    const at = now - ((4000 - index) / 4000) * 400 * dayMs;
    return [
      String(index + 1),
      number,
      type,
      port,
      ports[port],
      weighted(random, { "gate in": 30, "gate out": 30, loaded: 20, discharged: 20 }),
      dateText(at),
      String(Math.round(2200 + Math.abs(heavyTailed(random, 12_000, 0.4)))),
      maybe(random, 0.7, () => `${random.pick(["ML", "HL", "CM"])}-${digits(random, 7)}`),
    ];
  });
  return {
    name: "container_moves",
    columns: columnsOf({
      move_id: "integer",
      container_no: "text",
      size_type: "text",
      port: "text",
      port_name: "text",
      move: "text",
      moved_on: "date",
      gross_kg: "integer",
      seal_no: "text",
    }),
    rows,
  };
}
