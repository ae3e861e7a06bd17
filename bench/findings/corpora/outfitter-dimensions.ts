import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, maybe, money, mostlyFirst, some, timeText, weighted } from "../draw.ts";
import { hourMs } from "./calendar.ts";

/** Dimensions with a row for each version: what held from when to when. */

export const now = Date.parse("2025-12-04T05:20:00Z");
export const today = Date.parse("2025-12-04");
/** What was there when the warehouse was built begins on this day, whenever it really began. */
const built = Date.parse("2021-03-01");
const forever = Date.parse("9999-12-31");
/** A supplier changed its name, and so did all its products on one day. */
const renamed = Date.parse("2024-06-03");

export type Product = {
  sk: number;
  sku: string;
  name: string;
  brand: string;
  category: string;
  color: string | null;
  size: string | null;
  price: number;
  cost: number | null;
  from: number;
  to: number;
};

type Style = { name: string; brand: string; category: string; price: number };

/** Gift cards are bought for what is on them, and cost nothing; fuel may not be sold abroad. */
const styles: Style[] = `Tarn Fleece|Nordhavn|Fleece|89.95
Tarn Fleece Vest|Nordhavn|Fleece|69.95
Skar Shell Jacket|Nordhavn|Jackets|329
Skar Shell Pants|Nordhavn|Pants|219
Lull 20 Pack|Nordhavn|Backpacks|84.9
Ridge 45 Pack|Ferrata|Backpacks|159
Ridge 65+10 Pack|Ferrata|Backpacks|219
Vía Approach Shoe|Ferrata|Footwear|139.95
Cima GTX Boot|Ferrata|Footwear|259
Merino 150 Tee|Ullmark|Base layers|59.95
Merino 200 Long Johns|Ullmark|Base layers|74.95
Hiking Sock 2-pack|Ullmark|Socks|24.95
Liner Glove|Ullmark|Gloves|29.95
Dome 2 Tent|Kvist & Löv|Tents|399
Tunnel 4 Tent|Kvist & Löv|Tents|899
Ground Sheet|Kvist & Löv|Tents|49.5
Down Bag -7 °C|Kvist & Löv|Sleeping|349
Foam Mat|Kvist & Löv|Sleeping|24.9
Expedition Bag -32 °C|Kvist & Löv|Sleeping|1149
Spirit Stove|Brasa|Cooking|64.9
Titanium Spork|Brasa|Cooking|9.95
Gas 230 g|Brasa|Cooking|5.95
Enamel Mug|Brasa|Cooking|11.9
Head Lamp 400|Lumo|Electronics|54.95
Battery AAA 4-pack|Lumo|Electronics|4.95
Satellite Messenger|Lumo|Electronics|379
Seam Grip|Brasa|Care|8.5
Wash-in Proofer 300 ml|Brasa|Care|12.95
Trail Map Sarek|Kartförlaget|Books & maps|19.9
Gift Card 25|Own brand|Gift cards|25
Gift Card 50|Own brand|Gift cards|50
Gift Card 100|Own brand|Gift cards|100`
  .split("\n")
  .map((line) => {
    const [name = "", brand = "", category = "", price] = line.split("|");
    return { name, brand, category, price: Number(price) };
  });

const sizesOf: Record<string, string[]> = {
  Fleece: ["XS", "S", "M", "L", "XL", "XXL"],
  Jackets: ["S", "M", "L", "XL"],
  Pants: ["46", "48", "50", "52", "54", "98", "102"],
  "Base layers": ["XS", "S", "M", "L", "XL"],
  Socks: ["36-39", "40-43", "44-47"],
  Gloves: ["6", "7", "8", "9", "10"],
  Footwear: ["38", "39", "40", "41", "42", "42.5", "43", "44", "45", "46"],
};
const colors = { BLK: "Black", NVY: "Navy", OLV: "Olive", RST: "Rust", SND: "Sand" } as const;

export function productsOf(random: Random): Product[] {
  const products: Product[] = [];
  let number = 20_110;
  for (const style of styles) {
    const sizes: (string | null)[] = sizesOf[style.category] ?? [null];
    const isPlain = ["Gift cards", "Cooking", "Care", "Books & maps"].includes(style.category);
    const inColors = isPlain ? [null] : some(random, Object.keys(colors), sizes.length > 1 ? 3 : 1);
    const from = random.chance(0.55) ? built : built + random.between(60, 1500) * dayMs;
    number += random.between(3, 40);
    for (const color of inColors)
      for (const size of sizes) {
        const sku = [`${number}`, color, size?.replace(/\W/g, "")].filter(Boolean).join("-");
        const named = color === null ? null : colors[color as keyof typeof colors];
        // Sizes at the ends come later, or never come back.
        const late = size && random.chance(0.1) ? random.between(30, 200) * dayMs : 0;
        products.push(...versionsOf(random, style, { sku, color: named, size }, from + late));
      }
  }
  products.sort((a, b) => a.from - b.from);
  for (const [index, product] of products.entries()) product.sk = 1001 + index;
  return products;
}

/** A row for each price, name, or time on sale; what was gone for a season and came back has a gap in between. */
function versionsOf(
  random: Random,
  style: Style,
  { sku, color, size }: { sku: string; color: string | null; size: string | null },
  start: number,
): Product[] {
  const isCard = style.category === "Gift cards";
  const changes = isCard
    ? []
    : ["2022-02-01", "2023-02-01", "2024-02-05", "2025-02-03"]
        .map((text) => Date.parse(text))
        .filter((at) => at > start + 60 * dayMs && (at === Date.parse("2023-02-01") || random.chance(0.35)));
  if (style.brand === "Nordhavn" && start < renamed) changes.push(renamed);
  changes.sort((a, b) => a - b);
  const ends =
    !isCard && random.chance(0.08) ? Date.parse("2024-09-02") + random.between(0, 380) * dayMs : forever;
  let price = style.price;
  const versions: Product[] = [];
  for (const [index, from] of [start, ...changes].entries()) {
    if (from >= ends) break;
    if (index > 0 && from !== renamed) price = Math.ceil(price * (1.02 + random.next() * 0.07)) - 0.05;
    price = cents(price);
    versions.push({
      sk: 0,
      sku,
      name: style.name,
      brand: style.brand === "Nordhavn" && from >= renamed ? "Nordhavn Outdoor" : style.brand,
      category: style.category,
      color,
      size,
      price,
      cost: isCard ? null : cents(price * (style.brand === "Lumo" ? 0.62 : 0.41)),
      from,
      to: Math.min(changes[index] ?? forever, ends),
    });
  }
  const last = versions.at(-1);
  const again = ends + random.between(90, 200) * dayMs;
  if (last && ends !== forever && random.chance(0.4) && again < today)
    versions.push({ ...last, from: again, to: forever });
  return versions;
}

const validTo = (to: number): string => (to === forever ? "9999-12-31" : dateText(to));

export function productTable(products: readonly Product[]): CorpusTable {
  // A line may be of no product (shipping), or of one that is not known yet.
  const special = [
    ["-1", "Unknown"],
    ["-2", "Not applicable"],
  ].map(([sk = "", name = ""]): Row => {
    const none = [null, null, null, null];
    return [sk, null, name, name, name, ...none, "1900-01-01", "9999-12-31", "true"];
  });
  const rows = products.map((product): Row => {
    const { sk, sku, name, brand, category, color, size, price, cost, from, to } = product;
    return [
      String(sk),
      sku,
      name,
      brand,
      category,
      color,
      size,
      money(price),
      cost === null ? null : money(cost),
      dateText(from),
      validTo(to),
      to === forever ? "true" : "false",
    ];
  });
  const columns = columnsOf({
    product_sk: "integer key",
    sku: "text",
    product_name: "text",
    brand: "text",
    category: "text",
    color: "text",
    size_label: "text",
    list_price_eur: "decimal",
    unit_cost_eur: "decimal",
    valid_from: "date",
    valid_to: "date",
    is_current: "other",
  });
  return { name: "dim_product", columns, rows: [...special, ...rows] };
}

export type Customer = {
  id: number;
  country: string;
  kind: "consumer" | "business" | "employee";
  registered: number;
  erased: number | null;
  isBig: boolean;
  versions: { sk: number; tier: string | null; postal: string; country: string; from: number; to: number }[];
  isInNewsletter: boolean;
  hash: string;
};

const tiers = ["Bronze", "Silver", "Gold", "Summit"];

/** By their tier of the year and where they live; numbers skip what were carts without an order. */
export function customersOf(random: Random): Customer[] {
  const since = Date.parse("2016-05-02");
  const starts = Array.from(
    { length: 1150 },
    () => since + Math.floor(random.next() ** 0.55 * (today - since)),
  );
  let id = 500_000;
  const customers = starts
    .sort((a, b) => a - b)
    .map((at): Customer => {
      id += random.between(1, 60);
      const registered = Math.floor(at / dayMs) * dayMs;
      const kind = weighted(random, { consumer: 960, business: 28, employee: 12 });
      const country =
        kind === "employee" ? "DE" : weighted(random, { DE: 52, AT: 12, NL: 9, SE: 14, DK: 7, CH: 6 });
      const erased = maybe(
        random,
        kind === "consumer" ? 0.03 : 0,
        () => Math.floor((registered + random.next() * (today - registered)) / dayMs) * dayMs,
      );
      const customer: Customer = {
        id,
        country,
        kind,
        registered,
        erased: erased !== null && erased > registered + 30 * dayMs && erased > built ? erased : null,
        isBig: kind === "business" && random.chance(0.3),
        versions: [],
        isInNewsletter: random.chance(0.45),
        hash: Array.from({ length: 40 }, () => random.between(0, 15).toString(16)).join(""),
      };
      customer.versions = livesOf(random, customer);
      return customer;
    });
  const versions = customers.flatMap((customer) => customer.versions).sort((a, b) => a.from - b.from);
  for (const [index, version] of versions.entries()) version.sk = index + 1;
  return customers;
}

/** The first two or three digits, so that it is nobody's street. */
const postalOf = (random: Random, country: string): string =>
  country === "DE" || country === "SE" ? String(random.between(10, 99)) : String(random.between(10, 99) * 10);

function livesOf(random: Random, { registered, erased, country, kind }: Customer): Customer["versions"] {
  const first = Math.max(registered, built);
  const tierDays = [2022, 2023, 2024, 2025].map((year) => Date.UTC(year, 0, 10)).filter((day) => day > first);
  const moves = random.chance(0.12) ? [first + random.between(40, 1500) * dayMs] : [];
  const stops = [...new Set([first, ...tierDays, ...moves, ...(erased === null ? [] : [erased])])]
    .filter((at) => at < today && (erased === null || at <= erased))
    .sort((a, b) => a - b);
  const versions: Customer["versions"] = [];
  let level = 0;
  let [postal, at] = [postalOf(random, country), country];
  for (const from of stops) {
    const hasMoved = moves.includes(from);
    const before = level;
    if (tierDays.includes(from))
      level = Math.max(0, Math.min(3, level + Number(random.chance(0.14)) - Number(random.chance(0.06))));
    if (hasMoved) {
      // Now and then to another country, and the number stays.
      if (random.chance(0.1) && kind === "consumer")
        at = random.pick(["DE", "AT", "NL", "SE", "DK", "CH"].filter((each) => each !== at));
      postal = postalOf(random, at);
    }
    if (from !== first && !hasMoved && level === before && from !== erased) continue;
    const last = versions.at(-1);
    if (last) last.to = from;
    versions.push({
      sk: 0,
      tier: kind === "consumer" ? (tiers[level] ?? null) : null,
      postal,
      country: at,
      from,
      to: forever,
    });
  }
  return versions;
}

/** Of those that were erased, all versions were, and the country stays for the taxes. */
export function customerTable(customers: readonly Customer[]): CorpusTable {
  const rows = customers
    .flatMap((customer) => customer.versions.map((version) => ({ customer, version })))
    .sort((a, b) => a.version.sk - b.version.sk)
    .map(({ customer, version }): Row => {
      const isErased = customer.erased !== null;
      return [
        String(version.sk),
        String(customer.id),
        customer.kind,
        isErased ? null : customer.hash,
        version.country,
        isErased ? null : version.postal,
        isErased ? null : version.tier,
        isErased ? "false" : String(customer.isInNewsletter),
        dateText(customer.registered),
        customer.erased === null
          ? null
          : timeText(customer.erased + 2 * hourMs + (customer.id % 3600) * 1000),
        dateText(version.from),
        validTo(version.to),
        version.to === forever ? "true" : "false",
      ];
    });
  const guest: Row = [
    "-1",
    "-1",
    "guest",
    null,
    "XX",
    null,
    null,
    "false",
    "1900-01-01",
    null,
    "1900-01-01",
    "9999-12-31",
    "true",
  ];
  const columns = columnsOf({
    customer_sk: "integer key",
    customer_id: "integer",
    customer_kind: "text",
    email_sha1: "text",
    country_code: "text",
    postal_area: "text",
    loyalty_tier: "text",
    is_newsletter: "other",
    registered_on: "date",
    erased_at: "time",
    valid_from: "date",
    valid_to: "date",
    is_current: "other",
  });
  return { name: "dim_customer", columns, rows: [guest, ...rows] };
}

export type Campaign = {
  id: string;
  channel: string;
  name: string;
  country: string | null;
  currency: string;
  from: number;
  to: number | null;
  daily: number;
  perClick: number;
};

/** Some are always on; others last for a sale. Platforms give numbers of their own, and our own have names. */
export const campaigns: Campaign[] = `18827340112|paid_search|Brand DE/AT|DE|EUR|2021-03-01||140|0.31
18827340983|paid_search|Generic DE – tents|DE|EUR|2022-04-11||210|0.88
18831220457|paid_search|Brand SE|SE|SEK|2022-01-17||620|2.9
19002771234|paid_search|Brand DK|DK|DKK|2023-09-04||240|2.2
19114420018|paid_search|Brand NL|NL|EUR|2024-02-12|2025-06-30|65|0.36
20550318846|shopping|PMax DE|DE|EUR|2023-03-20||480|0.52
20550319002|shopping|PMax Nordics|SE|SEK|2023-03-20||2900|5.1
20781145503|shopping|PMax CH|CH|CHF|2024-10-01||70|0.71
120208114520330157|paid_social|Prospecting – Fall|DE|EUR|2025-09-01|2025-11-16|160|0.74
120208114520330299|paid_social|Prospecting – Spring|DE|EUR|2025-03-03|2025-05-31|150|0.69
120209004418820157|paid_social|Retargeting||EUR|2024-11-04||85|0.43
120211887120040157|paid_social|Black Week 25|DE|EUR|2025-11-17|2025-12-01|900|1.12
120211887120040283|paid_social|Black Week 25 SE|SE|SEK|2025-11-17|2025-12-01|5200|9.8
aff-awin|affiliate|Awin||EUR|2021-03-01||95|0.9
aff-tradedoubler|affiliate|Tradedoubler Nordics|SE|SEK|2022-05-02|2025-08-31|310|7.5
nl-weekly|email|Weekly newsletter||EUR|2021-03-01||0|0
nl-blackweek-25|email|Black Week||EUR|2025-11-21|2025-12-01|0|0
inf-utebror|influencer|Utebröder S03|SE|SEK|2025-05-12|2025-05-18|7000|4.1
ooh-koeln|out_of_home|Köln Hbf|DE|EUR|2025-09-29|2025-10-12|1785|0`
  .split("\n")
  .map((line) => {
    const [id = "", channel = "", name = "", country, currency = "", from = "", to, daily, perClick] =
      line.split("|");
    return {
      id,
      channel,
      name,
      country: country || null,
      currency,
      from: Date.parse(from),
      to: to ? Date.parse(to) : null,
      daily: Number(daily),
      perClick: Number(perClick),
    };
  });

export const isOn = ({ from, to }: Campaign, day: number): boolean =>
  from <= day && (to === null || to >= day);

/** The campaign that brought somebody of a channel here, if any was on. */
export const campaignOf = (
  random: Random,
  channel: string,
  country: string,
  day: number,
): Campaign | null => {
  const able = campaigns.filter(
    (campaign) =>
      campaign.channel === channel && isOn(campaign, day) && (campaign.country ?? country) === country,
  );
  return able.length === 0 ? null : mostlyFirst(random, able, 1.2);
};

export function campaignTable(): CorpusTable {
  const rows = campaigns.map(
    ({ id, channel, name, country, currency, from, to }): Row => [
      id,
      channel,
      name,
      country,
      currency,
      dateText(from),
      to === null ? null : dateText(to),
    ],
  );
  const columns = columnsOf({
    campaign_id: "text key",
    channel: "text",
    campaign_name: "text",
    target_country: "text",
    account_currency: "text",
    start_date: "date",
    end_date: "date",
  });
  return { name: "dim_campaign", columns, rows };
}
