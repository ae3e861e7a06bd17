import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  mostlyFirst,
  normal,
  some,
  weighted,
} from "../draw.ts";
import { daysFrom, isWorkday } from "./calendar.ts";
import { containerNumber } from "./codes.ts";
import { lastName } from "./names.ts";

const now = Date.parse("2025-05-30T18:00:00Z");

/**
 * Customs declarations as files in Polish left them: every column is text, days come first, decimals have a comma, and
 * what is empty is an empty text.
 */
export function customs(seed: number): CorpusDatabase {
  const random = new Random(seed * 103 + 31);
  const rates = ratesOf(random);
  const traders = tradersOf(random);
  const tariff = tariffOf(random);
  return {
    name: "customs",
    now,
    tables: [
      rates,
      traders,
      tariff,
      ...declarationsOf(random, rates.rows, traders.rows, tariff.rows),
      weeksOf(random),
    ],
  };
}

/** `07.03.2025` and `1234,50`. */
const dayFirst = (day: number) => dateText(day).split("-").reverse().join(".");
const comma = (number: number, decimals = 2) => number.toFixed(decimals).replace(".", ",");
const numberIn = (text: string | null | undefined) => Number((text ?? "").replace(",", "."));

const currencies = {
  EUR: 4.27,
  USD: 3.9,
  CHF: 4.5,
  GBP: 5.05,
  NOK: 0.37,
  SEK: 0.39,
  CZK: 0.171,
  JPY: 0.026,
  CNY: 0.54,
  HUF: 0.0106,
  TRY: 0.11,
  UAH: 0.094,
};

/** On workdays; of the last days, the rates are not final. */
function ratesOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  const at: Record<string, number> = { ...currencies };
  for (const [index, day] of daysFrom("2025-01-02", now).filter(isWorkday).entries())
    for (const [code, usual] of Object.entries(currencies)) {
      at[code] = (at[code] ?? usual) * (1 + normal(random) * 0.003) + (usual - (at[code] ?? usual)) * 0.02;
      const unit = code === "JPY" || code === "HUF" ? 100 : 1;
      rows.push([
        `${String(index + 1).padStart(3, "0")}/A/NBP/2025`,
        dayFirst(day),
        code,
        String(unit),
        comma((at[code] ?? usual) * unit, 4),
      ]);
    }
  const columns = columnsOf({
    nr_tabeli: "text",
    data_kursu: "text",
    waluta: "text",
    przelicznik: "text",
    kurs_sredni: "text",
  });
  return { name: "stg_kursy", columns, rows };
}

/** The tenth digit of a tax number is computed from the others; individuals have none. */
function nip(random: Random): string {
  for (;;) {
    const body = `${random.between(1, 9)}${random.between(1, 9)}${digits(random, 7)}`;
    const sum = [...body].reduce(
      (all, digit, at) => all + Number(digit) * ([6, 5, 7, 2, 3, 4, 5, 6, 7][at] ?? 0),
      0,
    );
    if (sum % 11 < 10) return `${body}${sum % 11}`;
  }
}

const provinces = [
  "mazowieckie",
  "pomorskie",
  "śląskie",
  "łódzkie",
  "wielkopolskie",
  "dolnośląskie",
  "małopolskie",
  "lubelskie",
  "podlaskie",
  "zachodniopomorskie",
];

function tradersOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 620 }, (_, index): Row => {
    const isPerson = random.chance(0.06);
    const number = isPerson ? "" : nip(random);
    return [
      String(index + 1),
      number,
      isPerson ? "" : `PL${number}00000`,
      isPerson
        ? `${lastName(random)}`
        : `${lastName(random)} ${random.pick(["Sp. z o.o.", "S.A.", "sp.k.", "s.c.", "Sp. z o.o."])}`,
      isPerson ? "osoba fizyczna" : "firma",
      mostlyFirst(random, provinces, 1.2),
      `${digits(random, 2)}-${digits(random, 3)}`,
      random.chance(0.08) ? "T" : "N",
      random.chance(0.02) ? "T" : "N",
      dayFirst(Date.parse("2004-05-01") + random.next() * 7500 * dayMs),
      random.chance(0.95) ? "" : dayFirst(Date.parse("2024-02-01") + random.next() * 400 * dayMs),
    ];
  });
  const columns = columnsOf({
    id_podmiotu: "text",
    nip: "text",
    eori: "text",
    nazwa: "text",
    rodzaj: "text",
    wojewodztwo: "text",
    kod_pocztowy: "text",
    aeo: "text",
    zawieszony: "text",
    data_rejestracji: "text",
    data_wykreslenia: "text",
  });
  return { name: "stg_podmioty", columns, rows };
}

/** Codes with leading zeros; most are free of duty, and some are measured in pieces. */
function tariffOf(random: Random): CorpusTable {
  const codes = new Set<string>();
  while (codes.size < 640)
    codes.add(
      `${String(random.between(1, 97)).padStart(2, "0")}${digits(random, 6)}${random.pick(["00", "00", "00", "10", "90"])}`,
    );
  const sections = [
    "zwierzęta",
    "rośliny",
    "tłuszcze",
    "żywność",
    "minerały",
    "chemia",
    "tworzywa",
    "skóry",
    "drewno",
    "papier",
  ];
  const rows = [...codes].sort().map((code): Row => {
    const chapter = Number(code.slice(0, 2));
    return [
      code,
      code.slice(0, 2),
      sections[Math.floor(chapter / 10)] ?? "",
      `${random.pick(["pozostałe", "pozostałe", "inne niż świeże", "o masie do 5 kg", "części i akcesoria", "z bawełny", "nieobrobione"])}`,
      weighted(random, { kg: 62, szt: 20, l: 6, m2: 6, para: 3, "": 3 }),
      comma(random.chance(0.45) ? 0 : random.pick([1.7, 2.2, 2.7, 3.7, 4.5, 6.5, 8, 12]), 1),
      String(random.chance(0.86) ? 23 : random.pick([8, 5])),
      random.chance(0.05) ? "T" : "N",
    ];
  });
  const columns = columnsOf({
    kod_cn: "text",
    dzial: "text",
    sekcja: "text",
    opis: "text",
    jednostka: "text",
    stawka_cla: "text",
    stawka_vat: "text",
    licencja: "text",
  });
  return { name: "stg_taryfa", columns, rows };
}

const origins = {
  CN: "CNY",
  US: "USD",
  GB: "GBP",
  TR: "TRY",
  CH: "CHF",
  UA: "UAH",
  NO: "NOK",
  JP: "JPY",
  VN: "USD",
  IN: "USD",
  KR: "USD",
  XK: "EUR",
} as const;
const offices = ["PL322010", "PL445010", "PL301010", "PL361010", "PL443010", "PL402010"];

/** ISO 8601: the week of its Thursday. */
function isoWeek(day: number): string {
  const thursday = new Date(day + (3 - ((new Date(day).getUTCDay() + 6) % 7)) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * dayMs));
  return `${year}-W${String(week).padStart(2, "0")}`;
}

function declarationsOf(
  random: Random,
  rates: readonly Row[],
  traders: readonly Row[],
  tariff: readonly Row[],
): CorpusTable[] {
  const [declarations, items]: [Row[], Row[]] = [[], []];
  const rateOn = new Map(rates.map((row) => [`${row[1]} ${row[2]}`, row]));
  const days = daysFrom("2025-01-02", now).filter(isWorkday);
  for (const [index, day] of days.entries())
    for (let count = random.between(22, 38); count > 0; count--) {
      const origin = mostlyFirst(random, Object.keys(origins) as (keyof typeof origins)[], 1.6);
      const currency = random.chance(0.18) ? "EUR" : origins[origin];
      // The rate of a month is that of the last but one Wednesday before, or, as here, of the workday before.
      const rate = rateOn.get(`${dayFirst(days[Math.max(0, index - 1)] ?? day)} ${currency}`);
      const perUnit = numberIn(rate?.[4]) / Number(rate?.[3] ?? 1);
      const trader = mostlyFirst(random, traders, 1.7);
      const number = `25PL${offices.indexOf(mostlyFirst(random, offices, 1.2)) + 3}${letters(random, 2)}${String(declarations.length + 1).padStart(8, "0")}${random.pick(["R", "U", "B"])}${random.between(0, 9)}`;
      const parts = Math.min(9, 1 + Math.floor(heavyTailed(random, 0.9, 0.8)));
      let [sum, gross, duties] = [0, 0, 0];
      for (let part = 1; part <= parts; part++) {
        const code = mostlyFirst(random, tariff, 1.3);
        const net = heavyTailed(random, 180, 1.5) + 0.1;
        const weight = Number((net * (1.01 + random.next() * 0.12)).toFixed(3));
        const value = cents(heavyTailed(random, 2400 / perUnit, 1.2));
        const customs = Math.round(value * perUnit);
        const duty = Math.round((customs * numberIn(code[5])) / 100);
        sum = cents(sum + value);
        gross += weight;
        duties += duty;
        items.push([
          number,
          String(part),
          code[0] ?? "",
          random.chance(0.97) ? origin : mostlyFirst(random, Object.keys(origins), 1.2),
          comma(weight, 3),
          comma(Number(net.toFixed(3)), 3),
          code[4] === "szt" || code[4] === "para" ? String(Math.ceil(heavyTailed(random, 60, 1.4))) : "",
          comma(value),
          String(customs),
          code[5] ?? "",
          String(duty),
          String(Math.round(((customs + duty) * Number(code[6])) / 100)),
        ]);
      }
      const status = weighted(random, { ZWOL: 88, KONT: 6, UNIEW: 3, PRZYJ: 3 });
      declarations.push([
        number,
        dayFirst(day),
        isoWeek(day),
        mostlyFirst(random, offices, 1.2),
        weighted(random, { "4000": 80, "4200": 12, "5100": 3, "7100": 4, "6110": 1 }),
        trader[0] ?? "",
        random.chance(0.6) ? (mostlyFirst(random, traders, 2)[0] ?? "") : "",
        origin,
        currency,
        rate?.[4] ?? "",
        comma(sum),
        comma(gross, 3),
        String(parts),
        String(duties),
        random.chance(0.4) ? containerNumber(random) : "",
        weighted(random, { "": 70, EXW: 8, FOB: 12, CIF: 6, DAP: 4 }),
        status,
        status === "ZWOL" ? dayFirst(day + random.between(0, 2) * dayMs) : "",
        random.chance(0.9) ? "N" : "T",
        random.chance(0.12)
          ? random.pick(["do kontroli", "brak faktury", "korekta", "towar wrażliwy!", "-"])
          : "",
        `${dayFirst(day)} 22:${String(random.between(10, 40)).padStart(2, "0")}`,
      ]);
    }
  return [
    {
      name: "stg_zgloszenia",
      columns: columnsOf({
        nr_mrn: "text",
        data_przyjecia: "text",
        tydzien_iso: "text",
        urzad: "text",
        procedura: "text",
        importer: "text in stg_podmioty.id_podmiotu",
        przedstawiciel: "text",
        kraj_wysylki: "text",
        waluta: "text",
        kurs: "text",
        wartosc_faktury: "text",
        masa_brutto: "text",
        liczba_pozycji: "text",
        suma_cla: "text",
        nr_kontenera: "text",
        incoterms: "text",
        status: "text",
        data_zwolnienia: "text",
        poprawiona: "text",
        uwagi: "text",
        wczytano: "text",
      }),
      rows: declarations,
    },
    {
      name: "stg_pozycje",
      columns: columnsOf({
        nr_mrn: "text in stg_zgloszenia.nr_mrn",
        nr_pozycji: "text",
        kod_cn: "text in stg_taryfa.kod_cn",
        kraj_pochodzenia: "text",
        masa_brutto: "text",
        masa_netto: "text",
        ilosc: "text",
        wartosc: "text",
        wartosc_celna: "text",
        stawka_cla: "text",
        kwota_cla: "text",
        kwota_vat: "text",
      }),
      rows: items,
      loads: { childrenOf: "nr_mrn" },
    },
  ];
}

/** What each office did in each week of two years; the new year begins in the week of the old. */
function weeksOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2023-07-03", now).filter((_, index) => index % 7 === 0)) {
    if (day + 6 * dayMs > now) break;
    for (const [index, office] of offices.entries()) {
      const accepted = Math.round((180 - index * 20) * (1 + normal(random) * 0.15));
      const checked = Math.round(accepted * (0.05 + random.next() * 0.03));
      rows.push([
        isoWeek(day),
        office,
        dayFirst(day),
        dayFirst(day + 6 * dayMs),
        String(accepted),
        String(checked),
        String(accepted - checked),
        comma((checked / accepted) * 100, 1),
        some(random, ["", "", "", "awaria", "strajk"], 1)[0] === "awaria" && random.chance(0.05)
          ? "awaria"
          : "",
      ]);
    }
  }
  const columns = columnsOf({
    tydzien_iso: "text",
    urzad: "text",
    od_dnia: "text",
    do_dnia: "text",
    przyjete: "text",
    skontrolowane: "text",
    bez_kontroli: "text",
    udzial_proc: "text",
    uwagi: "text",
  });
  return { name: "stg_tygodnie", columns, rows };
}
