import type { Random } from "../../../faults/random.ts";
import { digits, letters, mostlyFirst } from "../draw.ts";

type Place = { country: string; city: string; codes: string[]; latitude: number; longitude: number };

/** Towns with the postal codes of their country's form; each code belongs to one town. */
export function placesOf(random: Random, most = 400): Place[] {
  const places: Place[] = [];
  const taken = new Set<string>();
  while (places.length < most) {
    const { country, code, at } = mostlyFirst(random, countries, 1.8);
    const city = `${random.pick(beginnings)}${random.pick(endings)}`;
    if (taken.has(`${country} ${city}`)) continue;
    taken.add(`${country} ${city}`);
    const codes = Array.from({ length: random.between(1, 4) }, () => code(random)).filter(
      (text) => !taken.has(text),
    );
    if (codes.length === 0) continue;
    for (const text of codes) taken.add(text);
    places.push({
      country,
      city,
      codes,
      latitude: at[0] + random.next() * 3 - 1.5,
      longitude: at[1] + random.next() * 3 - 1.5,
    });
  }
  return places;
}

const countries: { country: string; at: [number, number]; code: (random: Random) => string }[] = [
  { country: "DE", at: [51, 10], code: (random) => `${random.between(1, 9)}${digits(random, 4)}` },
  { country: "US", at: [39, -95], code: (random) => digits(random, 5) },
  {
    country: "GB",
    at: [52.5, -1.5],
    code: (r) => `${letters(r, 2)}${r.between(1, 20)} ${digits(r, 1)}${letters(r, 2)}`,
  },
  { country: "NL", at: [52, 5], code: (random) => `${random.between(1000, 9999)} ${letters(random, 2)}` },
  { country: "PL", at: [52, 19], code: (random) => `${digits(random, 2)}-${digits(random, 3)}` },
  {
    country: "CA",
    at: [50, -100],
    code: (r) =>
      `${letters(r, 1)}${digits(r, 1)}${letters(r, 1)} ${digits(r, 1)}${letters(r, 1)}${digits(r, 1)}`,
  },
  { country: "AT", at: [47.5, 14], code: (random) => String(random.between(1010, 9992)) },
  { country: "SE", at: [60, 15], code: (random) => `${random.between(100, 989)} ${digits(random, 2)}` },
];

const beginnings = [
  "Aalt",
  "Bern",
  "Clar",
  "Dorn",
  "Eich",
  "Fair",
  "Grün",
  "Hart",
  "Ips",
  "Kirch",
  "Lang",
  "Mühl",
  "Nord",
  "Oak",
  "Stein",
  "Wester",
];
const endings = [
  "ach",
  "berg",
  "burg",
  "dale",
  "dorf",
  "feld",
  "ford",
  "haven",
  "heim",
  "ingen",
  "mouth",
  "stadt",
  "ton",
  "wick",
];

export const phone = (random: Random, country: string): string =>
  `+${dialing[country] ?? "49"} ${random.between(20, 899)} ${digits(random, random.between(6, 7))}`;

const dialing: Record<string, string> = {
  DE: "49",
  US: "1",
  GB: "44",
  NL: "31",
  PL: "48",
  CA: "1",
  AT: "43",
  SE: "46",
};
