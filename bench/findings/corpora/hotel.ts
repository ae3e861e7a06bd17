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
  timeText,
  weighted,
} from "../draw.ts";
import { firstName, lastName, plain, sentence } from "./names.ts";
import { phone, placesOf } from "./places.ts";

const now = Date.parse("2025-09-15T09:00:00Z");
const types = { single: 70, double: 110, twin: 105, suite: 240 };

/** Rooms, guests, their stays and what they consumed; some stays are ahead.. */
export function hotel(seed: number): CorpusDatabase {
  const random = new Random(seed * 31 + 5);
  const rooms = roomsOf(random);
  const guests = guestsOf(random);
  return { name: "hotel", now, tables: [rooms, guests, ...staysOf(random, rooms.rows, guests.rows)] };
}

function roomsOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 140 }, (_, index): Row => {
    const floor = 1 + Math.floor(index / 20);
    const type = weighted(random, { single: 30, double: 45, twin: 20, suite: 5 });
    return [
      `${floor}${String((index % 20) + 1).padStart(2, "0")}`,
      String(floor),
      type,
      String(type === "single" ? 1 : type === "suite" ? 4 : 2),
      money(types[type]),
      (14 + random.next() * 10 + (type === "suite" ? 25 : 0)).toFixed(1),
      String(random.chance(0.1)),
    ];
  });
  const columns = columnsOf({
    room_no: "text",
    floor: "integer",
    type: "text",
    beds: "integer",
    list_rate: "decimal",
    area_m2: "decimal",
    is_accessible: "other",
  });
  return { name: "rooms", columns, rows };
}

function guestsOf(random: Random): CorpusTable {
  const places = placesOf(random, 120);
  const rows = Array.from({ length: 2600 }, (_, index): Row => {
    const [first, last] = [firstName(random), lastName(random)];
    const { country, city, codes } = mostlyFirst(random, places, 1.3);
    return [
      `G${String(index + 1).padStart(5, "0")}`,
      random.pick(["Ms", "Mr", "Mx"]),
      `${last}, ${first}`,
      dateText(Date.parse("1945-01-01") + random.next() * 22_000 * dayMs),
      country,
      city,
      random.pick(codes),
      maybe(random, 0.92, () => `${plain(first)}${index}@${random.pick(["mail.example", "example.org"])}`),
      maybe(random, 0.6, () => phone(random, country)),
      weighted(random, { none: 70, silver: 20, gold: 9, platinum: 1 }),
    ];
  });
  const columns = columnsOf({
    guest_no: "text",
    salutation: "text",
    full_name: "text",
    birth_date: "date",
    country_code: "text",
    town: "text",
    zip: "text",
    email: "text",
    phone: "text",
    loyalty_tier: "text",
  });
  return { name: "guests", columns, rows };
}

function staysOf(random: Random, rooms: Row[], guests: Row[]): CorpusTable[] {
  const [stays, charges]: [Row[], Row[]] = [[], []];
  for (let index = 0; index < 5400; index++) {
    const room = random.pick(rooms);
    const booked = now - ((5400 - index) / 5400) * 540 * dayMs;
    const arrival = Math.floor((booked + heavyTailed(random, 12, 1) * dayMs) / dayMs) * dayMs;
    const nights = Math.min(21, 1 + Math.floor(heavyTailed(random, 1.2, 0.8)));
    const departure = arrival + nights * dayMs;
    const isCanceled = random.chance(0.07);
    const status = isCanceled
      ? "canceled"
      : departure < now
        ? "checked out"
        : arrival < now
          ? "in house"
          : "booked";
    const rate = cents(Number(room[4]) * (0.8 + random.next() * 0.5));
    const lodging = cents(rate * nights);
    const tax = cents(nights * 2.5);
    const extras = status === "checked out" && random.chance(0.55) ? 1 + random.between(0, 4) : 0;
    let consumed = 0;
    for (let line = 1; line <= extras; line++) {
      const item = weighted(random, { breakfast: 60, minibar: 20, parking: 15, laundry: 5 });
      const price = { breakfast: 18, minibar: 6.5, parking: 22, laundry: 14 }[item];
      const quantity = 1 + Math.floor(heavyTailed(random, 0.8, 0.7));
      consumed = cents(consumed + price * quantity);
      charges.push([
        String(40_000 + charges.length),
        String(700_000 + index),
        item,
        String(quantity),
        money(price),
        money(cents(price * quantity)),
        timeText(arrival + (0.3 + random.next() * (nights - 0.3)) * dayMs),
      ]);
    }
    stays.push([
      String(700_000 + index),
      letters(random, 3) + digits(random, 4),
      mostlyFirst(random, guests, 1.2)[0] ?? null,
      room[0] ?? null,
      weighted(random, { direct: 35, agency: 40, phone: 10, corporate: 15 }),
      timeText(booked),
      dateText(arrival),
      dateText(departure),
      String(nights),
      status,
      isCanceled ? timeText(Math.min(arrival, booked + random.next() * 5 * dayMs)) : null,
      money(rate),
      money(lodging),
      money(tax),
      money(consumed),
      money(cents(lodging + tax + consumed)),
      maybe(random, 0.12, () => sentence(random, random.between(3, 12))),
    ]);
  }
  return [
    {
      name: "stays",
      columns: columnsOf({
        stay_id: "integer key",
        confirmation: "text",
        guest_no: "text in guests.guest_no",
        room_no: "text in rooms.room_no",
        channel: "text",
        booked_at: "time",
        arrival: "date",
        departure: "date",
        nights: "integer",
        status: "text",
        canceled_at: "time",
        rate: "decimal",
        lodging: "decimal",
        city_tax: "decimal",
        extras: "decimal",
        total: "decimal",
        wishes: "text",
      }),
      rows: stays,
    },
    {
      name: "charges",
      columns: columnsOf({
        charge_id: "integer",
        stay_id: "integer in stays.stay_id",
        item: "text",
        quantity: "integer",
        unit_price: "decimal",
        amount: "decimal",
        charged_at: "time",
      }),
      rows: charges,
    },
  ];
}
