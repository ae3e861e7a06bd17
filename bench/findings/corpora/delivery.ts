import { createHash } from "node:crypto";
import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  money,
  mostlyFirst,
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, poisson, weekdayOf } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";

const now = Date.parse("2025-08-19T06:10:00Z");
const since = "2025-01-01";
const minuteMs = 60_000;
/** What is older is deleted from staging. */
const stagedFrom = "2025-07-20";

/**
 * The warehouse of a company that brings food, as models built every night leave it: staged rows of a month, dimensions
 * with hashes as keys, a snapshot with ranges of time, facts of which some come days late, and sums by day. Cities were
 * opened one after the other, one was closed for good, and couriers went on strike.
 */
export function delivery(seed: number): CorpusDatabase {
  const random = new Random(seed * 137 + 97);
  const couriers = couriersOf(random);
  const restaurants = restaurantsOf(random);
  const shifts = shiftsOf(random, couriers);
  const orders = ordersOf(random, restaurants, shifts);
  return {
    name: "delivery",
    now,
    tables: [
      cityTable(),
      courierTable(couriers),
      restaurantTable(restaurants),
      snapshotTable(random, restaurants),
      shiftTable(random, shifts),
      orderTable(orders),
      stagingTable(random, orders),
      dailyTable(orders),
    ],
  };
}

const key = (...parts: (string | number)[]): string =>
  createHash("md5").update(parts.join("-")).digest("hex");

type City = {
  code: string;
  name: string;
  zone: string;
  /** Hours ahead of UTC in winter. */
  ahead: number;
  currency: "EUR" | "GBP";
  launched: string;
  closed: string | null;
  size: number;
};
const cities: City[] = [
  {
    code: "MAD",
    name: "Madrid",
    zone: "Europe/Madrid",
    ahead: 1,
    currency: "EUR",
    launched: "2021-03-01",
    closed: null,
    size: 8.6,
  },
  {
    code: "BCN",
    name: "Barcelona",
    zone: "Europe/Madrid",
    ahead: 1,
    currency: "EUR",
    launched: "2021-09-13",
    closed: null,
    size: 7.2,
  },
  {
    code: "LIS",
    name: "Lisboa",
    zone: "Europe/Lisbon",
    ahead: 0,
    currency: "EUR",
    launched: "2022-05-02",
    closed: null,
    size: 4.4,
  },
  {
    code: "MAN",
    name: "Manchester",
    zone: "Europe/London",
    ahead: 0,
    currency: "GBP",
    launched: "2023-02-06",
    closed: null,
    size: 4.8,
  },
  {
    code: "LDS",
    name: "Leeds",
    zone: "Europe/London",
    ahead: 0,
    currency: "GBP",
    launched: "2023-10-02",
    closed: "2025-04-30",
    size: 2.4,
  },
  {
    code: "RTM",
    name: "Rotterdam",
    zone: "Europe/Amsterdam",
    ahead: 1,
    currency: "EUR",
    launched: "2025-02-10",
    closed: null,
    size: 3.6,
  },
  {
    code: "GNT",
    name: "Gent",
    zone: "Europe/Brussels",
    ahead: 1,
    currency: "EUR",
    launched: "2025-05-19",
    closed: null,
    size: 3,
  },
];
const keyOf = (city: City): string => key("city", city.code);

const isServed = (city: City, day: number): boolean =>
  dateText(day) >= city.launched && (city.closed === null || dateText(day) <= city.closed);
/** No courier of Madrid drove on that day. */
const isStrike = (city: City, day: number): boolean => city.code === "MAD" && dateText(day) === "2025-03-14";
const isSummerTime = (day: number): boolean => dateText(day) >= "2025-03-30" && dateText(day) < "2025-10-26";
/** By the clock on the wall there. */
const localTime = (city: City, day: number, hours: number): number =>
  day + (hours - city.ahead - Number(isSummerTime(day))) * hourMs;
/** Models are built at five in the morning. */
const builtAfter = (moment: number): number => Math.floor(moment / dayMs) * dayMs + dayMs + 5 * hourMs;
const lastBuilt = Date.parse("2025-08-19T05:04:11Z");

function cityTable(): CorpusTable {
  const rows = cities.map(
    (city, index): Row => [
      keyOf(city),
      String(index + 1),
      city.code,
      city.name,
      city.zone,
      city.currency,
      city.launched,
      city.closed,
      city.closed === null ? "true" : "false",
      timeText(lastBuilt),
    ],
  );
  const columns = columnsOf({
    city_sk: "text key",
    city_id: "integer",
    city_code: "text",
    city_name: "text",
    time_zone: "text",
    currency: "text",
    launched_on: "date",
    closed_on: "date",
    is_active: "other",
    _loaded_at: "time",
  });
  return { name: "dim_city", columns, rows };
}

type Courier = {
  id: number;
  city: City;
  name: string;
  vehicle: string;
  hired: number;
  left: number | null;
  drops: number;
};

function couriersOf(random: Random): Courier[] {
  const couriers = cities.flatMap((city) =>
    Array.from({ length: Math.round(city.size * 9) }, (_, index) => {
      const opened = Date.parse(city.launched) - 7 * dayMs;
      const end = city.closed === null ? now - 2 * dayMs : Date.parse(city.closed) - 20 * dayMs;
      // The first of each city stay, so that there is always somebody.
      const hired =
        index < 6 ? opened : opened + Math.floor(((end - opened) * random.next()) / dayMs) * dayMs;
      const stays = index < 6 ? Number.POSITIVE_INFINITY : Math.floor(heavyTailed(random, 330, 0.9)) * dayMs;
      const last = city.closed === null ? Number.POSITIVE_INFINITY : Date.parse(city.closed);
      const left = Math.min(hired + stays, last);
      return {
        id: 0,
        city,
        name: `${firstName(random)} ${lastName(random).charAt(0)}.`,
        vehicle: weighted(random, { bicycle: 46, e_bike: 28, scooter: 22, car: 4 }),
        hired,
        left: left < now ? left : null,
        drops: 0,
      };
    }),
  );
  couriers.sort((a, b) => a.hired - b.hired);
  for (const [index, courier] of couriers.entries()) courier.id = 501 + index * 2;
  return couriers;
}

/** No rating before the first drops in this year. */
function courierTable(couriers: readonly Courier[]): CorpusTable {
  const rows = couriers.map(
    (courier): Row => [
      key("courier", courier.id),
      String(courier.id),
      keyOf(courier.city),
      courier.name,
      courier.vehicle,
      dateText(courier.hired),
      courier.left === null ? null : dateText(courier.left),
      courier.drops < 5 ? null : (4.1 + ((courier.id * 37) % 90) / 100).toFixed(2),
      timeText(lastBuilt),
    ],
  );
  const columns = columnsOf({
    courier_sk: "text key",
    courier_id: "integer",
    city_sk: "text references dim_city.city_sk",
    display_name: "text",
    vehicle: "text",
    hired_on: "date",
    left_on: "date",
    rating: "decimal",
    _loaded_at: "time",
  });
  return { name: "dim_courier", columns, rows };
}

type Restaurant = {
  id: number;
  city: City;
  name: string;
  cuisine: string;
  joined: number;
  left: number | null;
  hasTablet: boolean;
  price: number;
};

function restaurantsOf(random: Random): Restaurant[] {
  const taken = new Set<string>();
  const restaurants = cities.flatMap((city) =>
    Array.from({ length: Math.round(city.size * 8) }, (_, index): Restaurant => {
      const opened = Date.parse(city.launched);
      const joined =
        index < 8 ? opened : opened + Math.floor(((now - opened) * random.next()) / dayMs) * dayMs;
      const closed = city.closed === null ? null : Date.parse(city.closed);
      const left =
        index >= 8 && random.chance(0.15)
          ? joined + random.between(40, 900) * dayMs
          : Number.POSITIVE_INFINITY;
      const end = Math.min(left, closed ?? Number.POSITIVE_INFINITY);
      return {
        id: 0,
        city,
        name: restaurantName(random, taken),
        cuisine: mostlyFirst(
          random,
          ["pizza", "burger", "sushi", "indian", "kebab", "vegan", "poke", "bakery", "korean"],
          1.6,
        ),
        joined: closed === null ? joined : Math.min(joined, closed - 60 * dayMs),
        left: end < now ? end : null,
        hasTablet: random.chance(0.86),
        price: heavyTailed(random, 13, 0.3),
      };
    }),
  );
  restaurants.sort((a, b) => a.joined - b.joined);
  for (const [index, restaurant] of restaurants.entries()) restaurant.id = index + 1;
  return restaurants;
}

function restaurantName(random: Random, taken: Set<string>): string {
  for (;;) {
    const name = `${random.pick(["Casa", "La", "The", "Chez", "Bar", "Little", "Mr.", "El", "Tasca", "Café"])} ${random.pick(["Roma", "Luna", "Dragon", "Naan", "Verde", "Fuego", "Sakura", "Olive", "Pão", "Smash", "Bo", "Niño", "Curry"])}${random.pick(["", "", " 2", " & Co", " Express", " (dark kitchen)", " Centro", " Norte"])}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

function restaurantTable(restaurants: readonly Restaurant[]): CorpusTable {
  const rows = restaurants.map(
    (restaurant): Row => [
      key("restaurant", restaurant.id),
      String(restaurant.id),
      keyOf(restaurant.city),
      restaurant.name,
      restaurant.cuisine,
      restaurant.hasTablet ? "true" : "false",
      dateText(restaurant.joined),
      restaurant.left === null ? null : dateText(restaurant.left),
      timeText(lastBuilt),
    ],
  );
  const columns = columnsOf({
    restaurant_sk: "text key",
    restaurant_id: "integer",
    city_sk: "text references dim_city.city_sk",
    restaurant_name: "text",
    cuisine: "text",
    has_tablet: "other",
    joined_on: "date",
    churned_on: "date",
    _loaded_at: "time",
  });
  return { name: "dim_restaurant", columns, rows };
}

/** Snapshots began on a day in 2023: from then on, each change closes a range and begins the next. */
function snapshotTable(random: Random, restaurants: readonly Restaurant[]): CorpusTable {
  const began = Date.parse("2023-01-16");
  const seen = restaurants.filter(({ left }) => left === null || left > began + 9 * dayMs);
  const rows = seen.flatMap((restaurant) => {
    const end = restaurant.left ?? now;
    const from = Math.max(began, restaurant.joined) + 5 * hourMs;
    const changes = Array.from({ length: poisson(random, 1.6) }, () =>
      Math.floor(random.between(Math.floor(from / dayMs) + 1, Math.floor(end / dayMs) - 1)),
    );
    const starts = [
      from,
      ...[...new Set(changes)].map((day) => day * dayMs + 5 * hourMs).sort((a, b) => a - b),
    ].filter((start, index) => index === 0 || (start > from && start < end));
    let commission = random.pick([15, 18, 22, 25, 30]);
    let isPaused = false;
    return starts.map((start, index): Row => {
      // Each range differs from the one before.
      if (index > 0 && random.chance(0.5)) isPaused = !isPaused;
      else if (index > 0) commission += random.pick([-2, -1, 1, 2.5]);
      const to = starts[index + 1] ?? (restaurant.left === null ? null : restaurant.left + 29 * hourMs);
      return [
        key(restaurant.id, start),
        String(restaurant.id),
        commission.toFixed(1),
        isPaused ? "paused" : "live",
        String(15 + ((restaurant.id * 7 + index) % 5) * 5),
        timeText(start + 251_000),
        to === null || to > now ? null : timeText(to + 251_000),
      ];
    });
  });
  const columns = columnsOf({
    dbt_scd_id: "text key",
    restaurant_id: "integer in dim_restaurant.restaurant_id",
    commission_percent: "decimal",
    listing_status: "text",
    prep_minutes: "integer",
    dbt_valid_from: "time",
    dbt_valid_to: "time",
  });
  return { name: "snap_restaurants", columns, rows };
}

type Shift = {
  id: string;
  courier: Courier;
  day: number;
  part: "lunch" | "dinner";
  starts: number;
  ends: number;
  demand: number;
  drops: number;
};

/** Fridays to Sundays are busy; a city that was just opened is not yet. */
function demandOf(random: Random, city: City, day: number): number {
  if (!isServed(city, day) || isStrike(city, day)) return 0;
  const week = [1.35, 0.8, 0.82, 0.9, 1, 1.3, 1.45][weekdayOf(day)] ?? 1;
  const grown = Math.min(1, 0.3 + (day - Date.parse(city.launched)) / (90 * dayMs));
  return poisson(random, city.size * week * grown);
}

function shiftsOf(random: Random, couriers: readonly Courier[]): Shift[] {
  const shifts: Shift[] = [];
  for (const day of daysFrom(since, now - dayMs))
    for (const city of cities) {
      const total = demandOf(random, city, day);
      const lunch = Math.round(total * (0.25 + random.next() * 0.2));
      const there = couriers.filter(
        (courier) =>
          courier.city === city && courier.hired <= day && (courier.left === null || day <= courier.left),
      );
      for (const [part, demand] of [
        ["lunch", lunch],
        ["dinner", total - lunch],
      ] as const) {
        if (demand === 0) continue;
        const count = Math.max(1, Math.round(demand / 2.3));
        const start = there.length === 0 ? 0 : random.between(0, there.length - 1);
        for (let index = 0; index < Math.min(count, there.length); index++) {
          const courier = there[(start + index) % there.length] as Courier;
          const opens = part === "lunch" ? 11 : 17.5;
          shifts.push({
            id: `${city.code}-${dateText(day).replaceAll("-", "")}-${part === "lunch" ? "L" : "D"}${index + 1}`,
            courier,
            day,
            part,
            starts: localTime(city, day, opens),
            ends: localTime(city, day, opens + (part === "lunch" ? 4.5 : 5.5)),
            demand: index === 0 ? demand : 0,
            drops: 0,
          });
        }
      }
    }
  return shifts;
}

/** Who did not come has no times of clocking; nobody clocks in to the second. */
function shiftTable(random: Random, shifts: readonly Shift[]): CorpusTable {
  const rows = shifts.map((shift): Row => {
    const isMissed = shift.drops === 0 && random.chance(0.3);
    const began = shift.starts + normal(random) * 4 * minuteMs;
    const ended = shift.ends + Math.abs(normal(random)) * 12 * minuteMs + 45 * minuteMs;
    return [
      shift.id,
      key("courier", shift.courier.id),
      keyOf(shift.courier.city),
      dateText(shift.day),
      shift.part,
      timeText(shift.starts),
      timeText(shift.ends),
      isMissed ? null : timeText(began),
      isMissed ? null : timeText(ended),
      isMissed ? "no_show" : "worked",
      String(shift.drops),
      timeText(builtAfter(shift.day) + 180_000),
    ];
  });
  const columns = columnsOf({
    shift_id: "text key",
    courier_sk: "text references dim_courier.courier_sk",
    city_sk: "text references dim_city.city_sk",
    shift_date: "date",
    shift_type: "text",
    planned_start_at: "time",
    planned_end_at: "time",
    clocked_in_at: "time",
    clocked_out_at: "time",
    shift_status: "text",
    drops: "integer",
    _loaded_at: "time",
  });
  return { name: "fct_shifts", columns, rows, loads: { column: "shift_date", period: "day" } };
}

type Order = {
  id: number;
  city: City;
  day: number;
  restaurant: Restaurant;
  customer: number;
  courier: Courier | null;
  type: "delivery" | "pickup";
  status: "delivered" | "collected" | "cancelled";
  placed: number;
  accepted: number | null;
  ready: number | null;
  picked: number | null;
  delivered: number | null;
  cancelled: number | null;
  reason: string | null;
  subtotal: number;
  surge: number;
  fee: number;
  service: number;
  discount: number;
  tip: number;
  payment: string;
  loaded: number;
};
const totalOf = ({ subtotal, fee, service, discount, tip }: Order): number =>
  cents(subtotal + fee + service - discount + tip);

function ordersOf(random: Random, restaurants: readonly Restaurant[], shifts: readonly Shift[]): Order[] {
  const groups = Map.groupBy(shifts, ({ day, part, courier }) => `${day} ${part} ${courier.city.code}`);
  const orders = [...groups.values()].flatMap((group) => {
    const demand = group[0]?.demand ?? 0;
    return Array.from({ length: demand }, () => orderIn(random, restaurants, group));
  });
  orders.sort((a, b) => a.placed - b.placed);
  let id = 8_240_117;
  for (const order of orders) {
    id += random.between(1, 3);
    order.id = id;
  }
  return orders;
}

/** One step after the other; kitchens without a tablet do not say when it is ready. */
function orderIn(random: Random, restaurants: readonly Restaurant[], group: readonly Shift[]): Order {
  const shift = random.pick(group);
  const { day, courier, part } = shift;
  const { city } = courier;
  const open = restaurants.filter(
    (each) =>
      each.city === city &&
      each.joined <= day &&
      (each.left === null || day < each.left || day === each.joined),
  );
  const restaurant = mostlyFirst(
    random,
    open.length > 0 ? open : restaurants.filter((each) => each.city === city),
    1.4,
  );
  const middle = (random.next() + random.next()) / 2;
  const placed = shift.starts + Math.floor(middle * (part === "lunch" ? 3.8 : 4.8) * hourMs);
  const type = weighted(random, { delivery: 92, pickup: 8 });
  const end = weighted(random, { done: 945, early: 25, rejected: 18, late: 12 });
  const accepted =
    end === "early" || end === "rejected" ? null : placed + heavyTailed(random, 1.6, 0.6) * minuteMs;
  const cooked = (accepted ?? placed) + heavyTailed(random, 14, 0.35) * minuteMs;
  const isDriven = type === "delivery" && accepted !== null;
  const picked = accepted !== null && end === "done" ? cooked + heavyTailed(random, 3, 0.7) * minuteMs : null;
  const delivered =
    picked !== null && type === "delivery" ? picked + heavyTailed(random, 11, 0.4) * minuteMs : null;
  const cancelled =
    end === "done"
      ? null
      : end === "late"
        ? cooked + random.between(60, 900) * 1000
        : placed + random.between(20, 280) * 1000;
  const isBusy = part === "dinner" && [0, 5, 6].includes(weekdayOf(day));
  const surge = isBusy && type === "delivery" ? random.pick([1, 1.2, 1.2, 1.5]) : 1;
  const subtotal = cents(
    restaurant.price * mostlyFirst(random, [1, 2, 3, 4], 1.6) + random.between(0, 60) * 0.1,
  );
  const payment = weighted(random, { card: 71, wallet: 22, cash: 7 });
  if (delivered !== null) {
    shift.drops++;
    courier.drops++;
  }
  const ended = delivered ?? picked ?? cancelled ?? placed;
  const late = random.chance(0.02) && ended < now - 5 * dayMs ? random.between(1, 3) * dayMs : 0;
  return {
    id: 0,
    city,
    day,
    restaurant,
    customer: Math.floor(3100 + 2400 * random.next() ** 1.6),
    courier: isDriven ? courier : null,
    type,
    status: end === "done" ? (type === "pickup" ? "collected" : "delivered") : "cancelled",
    placed,
    accepted,
    ready: accepted !== null && restaurant.hasTablet && end !== "late" ? cooked : null,
    picked,
    delivered,
    cancelled,
    reason:
      end === "early"
        ? "customer_changed_mind"
        : end === "rejected"
          ? random.pick(["restaurant_closed", "item_unavailable"])
          : end === "late"
            ? random.pick(["no_courier", "customer_unreachable"])
            : null,
    subtotal,
    surge,
    fee: type === "pickup" ? 0 : cents(2.5 * surge),
    service: cents(subtotal * 0.05),
    discount: random.chance(0.12) ? Math.min(cents(subtotal * 0.5), random.pick([3, 5, 10])) : 0,
    tip:
      end === "done" && type === "delivery" && payment !== "cash" && random.chance(0.34)
        ? random.pick([1, 1, 2, 2, 3, 5, cents(subtotal * 0.1)])
        : 0,
    payment,
    loaded: builtAfter(ended) + late + 214_000,
  };
}

const momentText = (moment: number | null): string | null => (moment === null ? null : timeText(moment));

function orderTable(orders: readonly Order[]): CorpusTable {
  const rows = [...orders]
    .sort((a, b) => a.loaded - b.loaded || a.id - b.id)
    .map(
      (order): Row => [
        key("order", order.id),
        String(order.id),
        dateText(order.day),
        keyOf(order.city),
        key("restaurant", order.restaurant.id),
        order.courier === null ? null : key("courier", order.courier.id),
        String(order.customer),
        order.type,
        order.status,
        momentText(order.placed),
        momentText(order.accepted),
        momentText(order.ready),
        momentText(order.picked),
        momentText(order.delivered),
        momentText(order.cancelled),
        order.reason,
        order.payment,
        order.city.currency,
        money(order.subtotal),
        order.surge.toFixed(1),
        money(order.fee),
        money(order.service),
        money(order.discount),
        order.payment === "cash" ? null : money(order.tip),
        money(totalOf(order)),
        timeText(order.loaded),
      ],
    );
  const columns = columnsOf({
    order_sk: "text key",
    order_id: "integer",
    order_date: "date",
    city_sk: "text references dim_city.city_sk",
    restaurant_sk: "text references dim_restaurant.restaurant_sk",
    courier_sk: "text references dim_courier.courier_sk",
    customer_id: "integer",
    order_type: "text",
    order_status: "text",
    placed_at: "time",
    accepted_at: "time",
    ready_at: "time",
    picked_up_at: "time",
    delivered_at: "time",
    cancelled_at: "time",
    cancel_reason: "text",
    payment_method: "text",
    currency: "text",
    subtotal: "decimal",
    surge_multiplier: "decimal",
    delivery_fee: "decimal",
    service_fee: "decimal",
    discount: "decimal",
    tip: "decimal",
    total: "decimal",
    _loaded_at: "time",
  });
  return { name: "fct_orders", columns, rows, loads: { column: "order_date", period: "day" } };
}

/** As the application sends it: in cents, and with states in capitals. */
function stagingTable(random: Random, orders: readonly Order[]): CorpusTable {
  const staged = orders.filter(({ day }) => dateText(day) >= stagedFrom);
  const rows = staged.map((order): Row => {
    const platform = random.pick(["ios", "ios", "android", "android", "web"]);
    const updated = order.delivered ?? order.picked ?? order.cancelled ?? order.placed;
    return [
      String(order.id),
      order.city.code.toLowerCase(),
      String(order.restaurant.id),
      order.courier === null ? null : String(order.courier.id),
      order.status.toUpperCase(),
      String(Math.round(totalOf(order) * 100)),
      order.city.currency,
      platform,
      platform === "web"
        ? null
        : mostlyFirst(random, ["7.4.1", "7.4.0", "7.3.2", "7.2.0", "6.9.4", "6.1.0"], 2),
      timeText(order.placed),
      timeText(updated),
      timeText(order.loaded - 190_000),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    city: "text",
    restaurant_id: "integer in dim_restaurant.restaurant_id",
    courier_id: "integer in dim_courier.courier_id",
    status: "text",
    total_cents: "integer",
    currency: "text",
    platform: "text",
    app_version: "text",
    created_at: "time",
    updated_at: "time",
    _loaded_at: "time",
  });
  return { name: "stg_orders", columns, rows, loads: { column: "created_at", period: "day" } };
}

/** Each city has a row for each day that it was served, also for one without orders. */
function dailyTable(orders: readonly Order[]): CorpusTable {
  const groups = Map.groupBy(orders, ({ day, city }) => `${day} ${city.code}`);
  const rows = daysFrom(since, now - dayMs).flatMap((day) =>
    cities
      .filter((city) => isServed(city, day))
      .map((city): Row => {
        const those = groups.get(`${day} ${city.code}`) ?? [];
        const done = those.filter(({ status }) => status !== "cancelled");
        const minutes = done.flatMap(({ delivered, placed }) =>
          delivered === null ? [] : [(delivered - placed) / minuteMs],
        );
        const sum = (of: (order: Order) => number) =>
          money(cents(done.reduce((all, order) => all + of(order), 0)));
        return [
          key(dateText(day), city.code),
          dateText(day),
          keyOf(city),
          String(those.length),
          String(done.length),
          String(those.length - done.length),
          sum(({ subtotal }) => subtotal),
          sum(({ fee }) => fee),
          sum(({ tip }) => tip),
          sum(totalOf),
          minutes.length === 0
            ? null
            : (minutes.reduce((all, each) => all + each, 0) / minutes.length).toFixed(1),
          isStrike(city, day) ? "strike" : null,
        ];
      }),
  );
  const columns = columnsOf({
    city_day_sk: "text key",
    order_date: "date",
    city_sk: "text references dim_city.city_sk",
    orders: "integer",
    completed_orders: "integer",
    cancelled_orders: "integer",
    food_value: "decimal",
    delivery_fees: "decimal",
    tips: "decimal",
    gross_value: "decimal",
    avg_delivery_minutes: "decimal",
    note: "text",
  });
  return {
    name: "agg_city_daily",
    columns,
    rows,
    loads: { column: "order_date", period: "day", areAtOnce: true },
  };
}
