import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  maybe,
  money,
  mostlyFirst,
  some,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isWorkday, momentsOf, poisson } from "./calendar.ts";
import { lastName } from "./names.ts";

const now = Date.parse("2025-05-14T05:30:00Z");
const first = "2023-11-01";
/** The third company was bought, and has been in the system since then. */
const joined = Date.parse("2024-07-01");

/**
 * Purchasing, stock and the general ledger of an old ERP: short names, keys with leading zeros, dates as texts of eight
 * digits (zeros for none), X or nothing instead of yes and no, debit and credit as letters, deliveries in parts,
 * documents that another one takes back, and periods that are closed.
 */
export function erp(seed: number): CorpusDatabase {
  const random = new Random(seed * 131 + 89);
  const vendors = vendorsOf(random);
  const materials = materialsOf(random);
  const orders = ordersOf(random, vendors, materials);
  const receipts = receiptsOf(random, orders);
  return {
    name: "erp",
    now,
    tables: [
      materialTable(random, materials),
      vendorTable(random, vendors),
      partsTable(random, materials),
      orderTable(orders),
      itemTable(orders),
      movementTable(random, materials, receipts),
      ledgerTable(random, orders, receipts),
      periodTable(),
    ],
  };
}

const client = "100";
const noDate = "00000000";
const dayOf = (moment: number): string => dateText(moment).replaceAll("-", "");
const zeros = (value: number | string, length: number): string => String(value).padStart(length, "0");
const yearOf = (moment: number): string => dateText(moment).slice(0, 4);
const monthOf = (moment: number): string => dateText(moment).slice(5, 7);
const midnight = (moment: number): number => Math.floor(moment / dayMs) * dayMs;

function nextWorkday(moment: number): number {
  let day = midnight(moment);
  while (!isWorkday(day)) day += dayMs;
  return day;
}

/** Each company has its plants. */
const companies = {
  "0100": { plants: ["1010", "1020"], from: Date.parse(first), weight: 62 },
  "0200": { plants: ["2010"], from: Date.parse(first), weight: 24 },
  "0300": { plants: ["3010"], from: joined, weight: 22 },
} as const;
type Company = keyof typeof companies;

type Material = {
  number: string;
  type: "ROHM" | "HALB" | "FERT" | "HIBE";
  text: string;
  unit: "ST" | "KG" | "M" | "L";
  /** For so many units. */
  price: number;
  per: 1 | 100 | 1000;
  created: number;
  isDeleted: boolean;
};

const kinds = {
  ROHM: {
    names: ["BLECH", "ROHR", "DRAHT", "GRANULAT", "PROFIL", "LACK RAL", "ALU-STANGE"],
    price: 9,
    start: 100_000,
  },
  HALB: { names: ["GEHAEUSE", "WELLE", "FLANSCH", "LEITERPLATTE", "DECKEL"], price: 31, start: 300_000 },
  FERT: { names: ["PUMPE", "VENTIL", "REGLER", "ANTRIEB", "MISCHER"], price: 260, start: 700_000 },
  HIBE: { names: ["HANDSCHUHE", "REINIGER", "SCHMIERFETT", "KLEBEBAND"], price: 4, start: 900_000 },
} as const;

function materialsOf(random: Random): Material[] {
  const counts = { ROHM: 320, HALB: 170, FERT: 90, HIBE: 60 };
  return (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((type) => {
    let number = kinds[type].start;
    return Array.from({ length: counts[type] }, () => {
      number += random.chance(0.9) ? 1 : random.between(2, 40);
      const unit = type === "ROHM" ? weighted(random, { KG: 45, M: 30, ST: 20, L: 5 }) : "ST";
      const price = Math.max(0.04, heavyTailed(random, kinds[type].price, 0.8));
      const per = price < 0.5 ? 1000 : price < 2 ? 100 : 1;
      return {
        number: zeros(number, 18),
        type,
        text: `${random.pick(kinds[type].names)} ${random.between(1, 90) * 5}${random.pick(["X", "/", "-"])}${random.between(1, 40)} ${letters(random, 1)}${digits(random, 3)}`,
        unit,
        price: Math.max(0.01, cents(price * per)),
        per,
        created: midnight(Date.parse("2009-03-02") + random.next() ** 0.7 * 5300 * dayMs),
        isDeleted: random.chance(0.05),
      };
    });
  });
}

function materialTable(random: Random, materials: readonly Material[]): CorpusTable {
  const rows = materials.map((material): Row => {
    const changed = maybe(
      random,
      0.6,
      () => material.created + random.next() * (now - dayMs - material.created),
    );
    return [
      client,
      material.number,
      material.text,
      material.type,
      material.unit,
      money(material.price),
      String(material.per),
      material.type === "FERT" || material.type === "HALB" ? "E" : "F",
      material.isDeleted ? "X" : "",
      dayOf(material.created),
      changed === null ? noDate : dayOf(changed),
      random.pick(["MUELLERK", "BATCH", "BATCH", "SCHMIDTA", "NOWAKP"]),
    ];
  });
  const columns = columnsOf({
    MDT: "text",
    MATNO: "text key",
    MATXT: "text",
    MATTY: "text",
    BASEH: "text",
    STPRS: "decimal",
    PREIN: "integer",
    BESKZ: "text",
    LOEVM: "text",
    ANLDT: "text",
    AENDT: "text",
    AENAM: "text",
  });
  return { name: "MATST", columns, rows };
}

type Vendor = { number: string; country: string; days: number; isBlocked: boolean };

/** Vendors of one kind share a range of numbers; those for everything else have one account for one-time use. */
function vendorsOf(random: Random): Vendor[] {
  let number = 10_000;
  return Array.from({ length: 170 }, (_, index) => {
    number += random.between(1, 6);
    return {
      number: index === 169 ? "0000099999" : zeros(number, 10),
      country: mostlyFirst(random, ["DE", "DE", "AT", "PL", "CZ", "IT", "CN", "US"], 1.6),
      days: random.pick([14, 30, 30, 30, 45, 60]),
      isBlocked: index < 169 && random.chance(0.04),
    };
  });
}

function vendorTable(random: Random, vendors: readonly Vendor[]): CorpusTable {
  const rows = vendors.map((vendor): Row => {
    const isOnce = vendor.number === "0000099999";
    const name = `${lastName(random)} ${random.pick(["Metall", "Stahl", "Elektronik", "Kunststoff", "Handel"])}`;
    return [
      client,
      vendor.number,
      isOnce
        ? "CPD DIVERSE LIEFERANTEN"
        : `${name.toUpperCase()} ${random.pick(["GMBH", "AG", "KG", "LTD", "S.P.A."])}`,
      isOnce ? "" : vendor.country,
      isOnce ? "" : random.chance(0.9) ? `${vendor.country}${digits(random, 9)}` : "",
      `Z0${vendor.days}`,
      vendor.isBlocked ? "X" : "",
      isOnce ? "X" : "",
      dayOf(Date.parse("2009-03-02") + random.next() * 5200 * dayMs),
    ];
  });
  const columns = columnsOf({
    MDT: "text",
    LIFNO: "text key",
    NAME1: "text",
    LAND1: "text",
    USTID: "text",
    ZTERM: "text",
    SPERR: "text",
    XCPDK: "text",
    ANLDT: "text",
  });
  return { name: "LIFST", columns, rows };
}

/** What a product is made of: positions in steps of ten, and some were replaced on a day. */
function partsTable(random: Random, materials: readonly Material[]): CorpusTable {
  const rows: Row[] = [];
  const of = (type: Material["type"]) => materials.filter((material) => material.type === type);
  const position = (parent: Material, index: number, part: Material, from: number, to: string) => {
    const isCounted = part.unit === "ST";
    rows.push([
      client,
      parent.number,
      zeros(index * 10, 4),
      part.number,
      (isCounted
        ? mostlyFirst(random, [1, 2, 4, 6, 8, 12], 1.5)
        : heavyTailed(random, 0.8, 0.7) + 0.002
      ).toFixed(3),
      part.unit,
      (isCounted ? 0 : random.pick([0, 2, 3, 5])).toFixed(2),
      dayOf(from),
      to,
    ]);
  };
  for (const parent of [...of("FERT"), ...of("HALB")]) {
    const from = parent.type === "FERT" ? [...of("HALB"), ...of("ROHM")] : of("ROHM");
    const parts = some(random, from, random.between(3, 12));
    for (const [index, part] of parts.entries()) {
      const start = Math.max(parent.created, part.created);
      const later = Math.max(start, Date.parse("2021-01-01")) + random.between(100, 560) * dayMs;
      const able = from.filter((each) => !parts.includes(each) && each.created < later);
      const replaced = random.chance(0.06) && able.length > 0 ? later : null;
      const other = replaced === null ? null : random.pick(able);
      position(parent, index + 1, part, start, replaced === null ? "99991231" : dayOf(replaced - dayMs));
      if (replaced !== null && other) position(parent, index + 1, other, replaced, "99991231");
    }
  }
  const columns = columnsOf({
    MDT: "text",
    BAUGR: "text in MATST.MATNO",
    POSNR: "text",
    KOMPO: "text in MATST.MATNO",
    MENGE: "decimal",
    MEINS: "text",
    AUSCH: "decimal",
    GUEAB: "text",
    GUEBI: "text",
  });
  return { name: "STUEP", columns, rows };
}

type Item = {
  position: string;
  material: Material;
  plant: string;
  quantity: number;
  price: number;
  due: number;
  /** Canceled before anything came. */
  isDeleted: boolean;
  received: number;
};
type Order = {
  number: string;
  company: Company;
  vendor: Vendor;
  day: number;
  items: Item[];
  isOnce: boolean;
};

const worth = (quantity: number, price: number, per: number): number => cents((quantity * price) / per);

function ordersOf(random: Random, vendors: readonly Vendor[], materials: readonly Material[]): Order[] {
  const orders: Order[] = [];
  const bought = materials.filter(
    ({ type, isDeleted }) => !isDeleted && (type === "ROHM" || type === "HIBE"),
  );
  const open = vendors.filter(({ isBlocked }) => !isBlocked);
  let number = 4_500_018_200;
  for (const day of daysFrom(first, now - dayMs).filter(isWorkday))
    for (let count = poisson(random, 2.1); count > 0; count--) {
      number += random.chance(0.95) ? 1 : random.between(2, 9);
      const company = companyOn(random, day);
      const vendor = random.chance(0.02) ? (open.at(-1) as Vendor) : mostlyFirst(random, open, 1.8);
      const items = some(random, bought, mostlyFirst(random, [1, 2, 3, 4, 6, 9], 1.5)).map(
        (material, index): Item => ({
          position: zeros((index + 1) * 10, 5),
          material,
          plant: mostlyFirst(random, companies[company].plants, 1.4),
          quantity: quantityOf(random, material),
          price: Math.max(0.01, cents(material.price * (0.92 + random.next() * 0.16))),
          due: nextWorkday(day + random.between(5, 45) * dayMs),
          isDeleted: random.chance(0.015),
          received: 0,
        }),
      );
      orders.push({
        number: String(number),
        company,
        vendor,
        day,
        items,
        isOnce: vendor.number === "0000099999",
      });
    }
  return orders;
}

function companyOn(random: Random, day: number): Company {
  for (;;) {
    const company = weighted(random, { "0100": 62, "0200": 24, "0300": 22 });
    if (companies[company].from <= day) return company;
  }
}

/** In lots, as people order. */
function quantityOf(random: Random, { unit, price, per }: Material): number {
  const rough = heavyTailed(random, 1800 / Math.max(0.2, price / per), 0.7);
  const lot = rough > 2000 ? 500 : rough > 200 ? 50 : rough > 20 ? 5 : 1;
  return Math.max(unit === "ST" ? 1 : 2, Math.round(rough / lot) * lot);
}

function orderTable(orders: readonly Order[]): CorpusTable {
  const rows = orders.map(
    (order): Row => [
      client,
      order.number,
      order.company,
      order.isOnce ? "NBC" : "NB",
      order.vendor.number,
      dayOf(order.day),
      `Z0${order.vendor.days}`,
      "EUR",
      money(
        cents(order.items.filter(({ isDeleted }) => !isDeleted).reduce((sum, item) => sum + netOf(item), 0)),
      ),
      order.company === "0300" ? "E03" : "E01",
    ],
  );
  const columns = columnsOf({
    MDT: "text",
    BESNO: "text key",
    BUKRS: "text",
    BSART: "text",
    LIFNO: "text references LIFST.LIFNO",
    BESDT: "text",
    ZTERM: "text",
    WAERS: "text",
    RLWRT: "decimal",
    EKGRP: "text",
  });
  return { name: "BESKO", columns, rows };
}

const netOf = ({ quantity, price, material }: Item): number => worth(quantity, price, material.per);
/** Whatever is missing in the end by a little does not come any more. */
const isComplete = ({ quantity, received }: Item): boolean => received >= quantity * 0.97;

function itemTable(orders: readonly Order[]): CorpusTable {
  const rows = orders.flatMap((order) =>
    order.items.map(
      (item): Row => [
        client,
        order.number,
        item.position,
        item.material.number,
        item.plant,
        item.quantity.toFixed(3),
        item.material.unit,
        money(item.price),
        String(item.material.per),
        money(netOf(item)),
        dayOf(item.due),
        item.received.toFixed(3),
        isComplete(item) ? "X" : "",
        item.isDeleted ? "L" : "",
      ],
    ),
  );
  const columns = columnsOf({
    MDT: "text",
    BESNO: "text in BESKO.BESNO",
    BESPO: "text",
    MATNO: "text references MATST.MATNO",
    WERKS: "text",
    MENGE: "decimal",
    MEINS: "text",
    NETPR: "decimal",
    PREIN: "integer",
    NETWR: "decimal",
    LIEDT: "text",
    WEMNG: "decimal",
    ELIKZ: "text",
    LOEKZ: "text",
  });
  return { name: "BESPO", columns, rows, loads: { childrenOf: "BESNO" } };
}

type Receipt = {
  order: Order;
  day: number;
  entered: number;
  lines: { item: Item; quantity: number }[];
  number: string;
  /** Whether it takes another one back. */
  reverses: Receipt | null;
};

/** Some come in two or three parts, and one in forty is taken back, and entered again as it should have been. */
function receiptsOf(random: Random, orders: readonly Order[]): Receipt[] {
  const receipts: Receipt[] = [];
  for (const order of orders) {
    const items = order.items.filter(({ isDeleted }) => !isDeleted);
    const parts = weighted(random, { 1: 74, 2: 20, 3: 6 });
    let day = nextWorkday(
      Math.max(order.day + 2 * dayMs, (items[0]?.due ?? order.day) + random.between(-3, 6) * dayMs),
    );
    for (let part = 1; part <= Number(parts) && day < midnight(now); part++) {
      const lines = items.map((item) => ({ item, quantity: portion(random, item, part === Number(parts)) }));
      const come = lines.filter(({ quantity }) => quantity > 0);
      for (const { item, quantity } of come)
        item.received = Math.round((item.received + quantity) * 1000) / 1000;
      if (come.length > 0) {
        const receipt = receiptOn(random, order, day, come, null);
        receipts.push(receipt);
        if (random.chance(0.025)) {
          const again = {
            ...receiptOn(random, order, day, come, receipt),
            entered: receipt.entered + 1200_000,
          };
          receipts.push(again, {
            ...receiptOn(random, order, day, come, null),
            entered: again.entered + 300_000,
          });
        }
      }
      day = nextWorkday(day + random.between(3, 16) * dayMs);
    }
  }
  receipts.sort((a, b) => a.entered - b.entered);
  for (const [index, receipt] of receipts.entries()) receipt.number = String(5_000_031_000 + index);
  return receipts;
}

const receiptOn = (
  random: Random,
  order: Order,
  day: number,
  lines: Receipt["lines"],
  reverses: Receipt | null,
): Receipt => ({ order, day, entered: day + (6 + random.next() * 9) * hourMs, lines, number: "", reverses });

/** The last part is the rest, or a little more or less of what is weighed. */
function portion(random: Random, { quantity, received, material }: Item, isLast: boolean): number {
  const rest = quantity - received;
  if (!isLast) return Math.floor((rest * (3 + random.next() * 4)) / 10);
  const isWeighed = material.unit === "KG" && random.chance(0.4);
  return Math.max(0, isWeighed ? Math.round(rest * (0.985 + random.next() * 0.03) * 1000) / 1000 : rest);
}

type Movement = {
  number: string;
  type: string;
  isIn: boolean;
  material: Material;
  plant: string;
  storage: string;
  quantity: number;
  value: number;
  day: number;
  entered: number;
  order?: { order: Order; item: Item };
  reverses?: string;
  user: string;
};

/** Issues to production go by the parts in stock; twice a year there is a count. */
function movementTable(
  random: Random,
  materials: readonly Material[],
  receipts: readonly Receipt[],
): CorpusTable {
  const movements = [...receiptMovements(random, receipts), ...issues(random, materials)];
  movements.sort((a, b) => a.entered - b.entered || a.number.localeCompare(b.number));
  const places = new Map<string, number>();
  const rows = movements.map((movement): Row => {
    const place = (places.get(movement.number) ?? 0) + 1;
    places.set(movement.number, place);
    return [
      client,
      movement.number,
      yearOf(movement.day),
      zeros(place, 4),
      movement.type,
      movement.isIn ? "S" : "H",
      movement.material.number,
      movement.plant,
      movement.storage,
      movement.quantity.toFixed(3),
      movement.material.unit,
      money(movement.value),
      movement.order?.order.number ?? "",
      movement.order?.item.position ?? "00000",
      dayOf(movement.day),
      dayOf(movement.entered),
      new Date(movement.entered).toISOString().slice(11, 19).replaceAll(":", ""),
      movement.reverses ?? "",
      movement.user,
    ];
  });
  const columns = columnsOf({
    MDT: "text",
    MBLNR: "text",
    GJAHR: "text",
    ZEILE: "text",
    BWART: "text",
    SHKZG: "text",
    MATNO: "text in MATST.MATNO",
    WERKS: "text",
    LGORT: "text",
    MENGE: "decimal",
    MEINS: "text",
    DMBTR: "decimal",
    BESNO: "text in BESKO.BESNO",
    BESPO: "text",
    BUDAT: "text",
    CPUDT: "text",
    CPUTM: "text",
    SMBLN: "text",
    USNAM: "text",
  });
  return { name: "LAGBW", columns, rows };
}

const valueOfLine = ({ item, quantity }: Receipt["lines"][number]) =>
  worth(quantity, item.price, item.material.per);

const receiptMovements = (random: Random, receipts: readonly Receipt[]): Movement[] =>
  receipts.flatMap((receipt) => {
    const user = random.pick(["LAGER01", "LAGER01", "LAGER02", "KOWALSKIM"]);
    return receipt.lines.map(
      (line): Movement => ({
        number: receipt.number,
        type: receipt.reverses ? "102" : "101",
        isIn: !receipt.reverses,
        material: line.item.material,
        plant: line.item.plant,
        storage: "0001",
        quantity: line.quantity,
        value: valueOfLine(line),
        day: receipt.day,
        entered: receipt.entered,
        order: { order: receipt.order, item: line.item },
        ...(receipt.reverses && { reverses: receipt.reverses.number }),
        user,
      }),
    );
  });

function issues(random: Random, materials: readonly Material[]): Movement[] {
  const movements: Movement[] = [];
  const raw = materials.filter(({ type, isDeleted }) => type === "ROHM" && !isDeleted);
  let number = 4_900_120_000;
  const counts = ["2023-12-29", "2024-06-28", "2024-12-30"];
  for (const day of daysFrom(first, now - dayMs).filter(isWorkday)) {
    const isCounted = counts.includes(dateText(day));
    const issued = momentsOf(random, day, poisson(random, 2.6), [6, 16]);
    const counted = isCounted ? momentsOf(random, day, 22, [16, 19]) : [];
    for (const entered of [...issued, ...counted]) {
      const plant = random.pick(companies[companyOn(random, day)].plants);
      const isCount = entered >= day + 16 * hourMs;
      const isIn = isCount && random.chance(0.4);
      number++;
      for (const material of some(random, raw, isCount ? 1 : random.between(1, 4))) {
        const quantity = Math.max(1, Math.round(heavyTailed(random, isCount ? 3 : 30, 0.9)));
        movements.push({
          number: String(number),
          type: isCount ? (isIn ? "701" : "702") : "261",
          isIn,
          material,
          plant,
          storage: isCount ? "0001" : "0002",
          quantity,
          value: worth(quantity, material.price, material.per),
          day,
          entered,
          user: isCount ? "INVENTUR" : "BATCH",
        });
      }
    }
  }
  return movements;
}

type Posting = { account: string; isDebit: boolean; amount: number; cleared?: number | undefined };
type Document = {
  company: Company;
  type: "WE" | "RE" | "ZP" | "SA";
  posted: number;
  dated: number;
  reference: string;
  lines: Posting[];
  text: string;
  user: string;
};

const accounts = {
  stock: 300_000,
  clearing: 191_100,
  tax: 154_000,
  bank: 113_100,
  wear: 481_000,
  assets: 11_000,
};
const ledgerAccount = (account: keyof typeof accounts): string => zeros(accounts[account], 10);

/** Both sides of each document are equal. What is cleared has a date. */
function ledgerTable(random: Random, orders: readonly Order[], receipts: readonly Receipt[]): CorpusTable {
  const documents = [
    ...receipts.filter(({ day }) => day >= Date.parse("2024-01-01")).map(receiptDocument),
    ...invoiceDocuments(random, orders, receipts),
    ...monthly(random),
  ].sort((a, b) => a.posted - b.posted);
  const ranges = { WE: 50, RE: 51, ZP: 15, SA: 1 };
  const counts = new Map<string, number>();
  const rows = documents.flatMap((document) => {
    const range = `${document.company} ${yearOf(document.posted)} ${document.type}`;
    const count = (counts.get(range) ?? 0) + 1;
    counts.set(range, count);
    const number = zeros(ranges[document.type] * 100_000_000 + count, 10);
    return document.lines.map(
      (line, index): Row => [
        client,
        document.company,
        number,
        yearOf(document.posted),
        zeros(index + 1, 3),
        document.type,
        dayOf(document.dated),
        dayOf(document.posted),
        monthOf(document.posted),
        line.account,
        line.isDebit ? "S" : "H",
        money(line.amount),
        "EUR",
        document.reference,
        line.cleared === undefined ? noDate : dayOf(line.cleared),
        document.text,
        document.user,
      ],
    );
  });
  const columns = columnsOf({
    MDT: "text",
    BUKRS: "text",
    BELNO: "text",
    GJAHR: "text",
    BUZEI: "text",
    BLART: "text",
    BLDAT: "text",
    BUDAT: "text",
    MONAT: "text",
    KONTO: "text",
    SHKZG: "text",
    DMBTR: "decimal",
    WAERS: "text",
    XBLNR: "text",
    AUGDT: "text",
    SGTXT: "text",
    USNAM: "text",
  });
  return { name: "HBUCH", columns, rows };
}

function receiptDocument(receipt: Receipt): Document {
  const amount = cents(receipt.lines.reduce((sum, line) => sum + valueOfLine(line), 0));
  const isBack = receipt.reverses !== null;
  return {
    company: receipt.order.company,
    type: "WE",
    posted: receipt.day,
    dated: receipt.day,
    reference: receipt.number,
    lines: [
      { account: ledgerAccount("stock"), isDebit: !isBack, amount },
      { account: ledgerAccount("clearing"), isDebit: isBack, amount },
    ],
    text: isBack ? "STORNO WE" : "",
    user: "BATCH",
  };
}

/** One for all that came; from other countries without tax. Paid on Thursdays. */
function invoiceDocuments(
  random: Random,
  orders: readonly Order[],
  receipts: readonly Receipt[],
): Document[] {
  const byOrder = Map.groupBy(receipts, ({ order }) => order);
  return orders.flatMap((order): Document[] => {
    const came = byOrder.get(order) ?? [];
    if (came.length === 0) return [];
    const lines = came.flatMap((each) =>
      each.lines.map((line) => (each.reverses ? -1 : 1) * valueOfLine(line)),
    );
    const net = cents(lines.reduce((sum, value) => sum + value, 0));
    const last = Math.max(...came.map(({ day }) => day));
    const isWhole = order.items.every((item) => item.isDeleted || isComplete(item));
    const dated = nextWorkday(last + random.between(0, 5) * dayMs);
    const posted = nextWorkday(dated + random.between(1, 8) * dayMs);
    if (!isWhole || posted >= midnight(now) || posted < Date.parse("2024-01-01")) return [];
    const tax = order.vendor.country === "DE" ? cents(net * 0.19) : 0;
    const gross = cents(net + tax);
    const paid = thursdayAfter(dated + order.vendor.days * dayMs);
    const cleared = paid < midnight(now) ? paid : undefined;
    const reference = weighted(random, {
      [`RE${digits(random, 6)}`]: 5,
      [`${yearOf(dated)}/${digits(random, 5)}`]: 3,
      [digits(random, 8)]: 4,
    });
    const vendor = order.vendor.number;
    const common = { company: order.company, reference, text: order.number };
    const postings: Posting[] = [
      { account: vendor, isDebit: false, amount: gross, cleared },
      { account: ledgerAccount("clearing"), isDebit: true, amount: net },
      ...(tax > 0 ? [{ account: ledgerAccount("tax"), isDebit: true, amount: tax }] : []),
    ];
    const user = random.pick(["HUBERT", "HUBERT", "NOWAKP", "EINGANG"]);
    const invoice: Document = { ...common, type: "RE", posted, dated, lines: postings, user };
    if (cleared === undefined) return [invoice];
    const payment: Posting[] = [
      { account: vendor, isDebit: true, amount: gross, cleared },
      { account: ledgerAccount("bank"), isDebit: false, amount: gross },
    ];
    return [
      invoice,
      { ...common, type: "ZP", posted: cleared, dated: cleared, lines: payment, user: "ZAHLLAUF" },
    ];
  });
}

function thursdayAfter(moment: number): number {
  let day = midnight(moment);
  while (new Date(day).getUTCDay() !== 4) day += dayMs;
  return nextWorkday(day);
}

/** The wear of machines, on the last day of each month, whether or not somebody works then. */
const monthly = (random: Random): Document[] =>
  (Object.keys(companies) as Company[]).flatMap((company) => {
    const amount = 4000 + random.between(0, 9) * 1375.5;
    return months(Date.parse("2024-01-01"), now)
      .filter(({ start, end }) => end < now && start >= companies[company].from)
      .map(
        ({ end }): Document => ({
          company,
          type: "SA",
          posted: end,
          dated: end,
          reference: `AFA${dayOf(end).slice(0, 6)}`,
          lines: [
            { account: ledgerAccount("wear"), isDebit: true, amount },
            { account: ledgerAccount("assets"), isDebit: false, amount },
          ],
          text: "ABSCHREIBUNG",
          user: "BATCH",
        }),
      );
  });

function months(from: number, to: number): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (let start = from; start <= to; ) {
    const date = new Date(start);
    const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    found.push({ start, end: next - dayMs });
    start = next;
  }
  return found;
}

/** The year has its periods from its beginning; those ahead are not open yet. */
function periodTable(): CorpusTable {
  const rows: Row[] = (Object.keys(companies) as Company[]).flatMap((company) =>
    months(Date.parse("2024-01-01"), Date.parse("2025-12-01"))
      .filter(({ start }) => start >= companies[company].from)
      .map(({ start, end }): Row => {
        const closes = nextWorkday(end + 6 * dayMs);
        const isClosed = closes < now;
        const status = isClosed ? "C" : start <= now ? "O" : "";
        const closed = isClosed ? [dayOf(closes), "HUBERT"] : [noDate, ""];
        return [client, company, yearOf(start), monthOf(start), dayOf(start), dayOf(end), status, ...closed];
      }),
  );
  const columns = columnsOf({
    MDT: "text",
    BUKRS: "text",
    GJAHR: "text",
    MONAT: "text",
    VONDT: "text",
    BISDT: "text",
    STATU: "text",
    ABGDT: "text",
    ABGVN: "text",
  });
  return { name: "PERIO", columns, rows };
}
