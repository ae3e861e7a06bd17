import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, money, normal, some, timeText, weighted } from "../draw.ts";
import { daysFrom, hourMs, isHoliday, isWorkday, momentsOf, poisson, season } from "./calendar.ts";

const now = Date.parse("2025-02-20T11:20:00Z");
const today = Date.parse("2025-02-20");

/** A utility: readings by the hour and by the day, a log of imports, payments on certain days, storms of alarms, and exchanged meters. */
export function meters(seed: number): CorpusDatabase {
  const random = new Random(seed * 41 + 7);
  const ids = Array.from({ length: 18 }, (_, index) => `M${3000 + index * 13}`);
  return {
    name: "meters",
    now,
    tables: [
      readingsOf(random, ids),
      totalsOf(random, ids),
      weatherOf(random),
      importsOf(random),
      ...paymentsOf(random),
      alarmsOf(random),
      contractsOf(random),
      visitsOf(random),
      callsOf(random),
      swapsOf(random),
    ],
  };
}

/** What is read in an hour arrives within minutes; single meters are silent for days. */
function readingsOf(random: Random, ids: readonly string[]): CorpusTable {
  const rows: Row[] = [];
  const away = some(random, ids, 3).map((id) => ({
    id,
    from: random.between(5, 30),
    days: random.between(1, 5),
  }));
  for (const [index, day] of daysFrom("2025-01-10", today).entries())
    for (let hour = 0; hour < 24; hour++)
      for (const id of ids) {
        const at = day + hour * hourMs;
        const isAway = away.some(
          (each) => each.id === id && index >= each.from && index < each.from + each.days,
        );
        if (at + hourMs > now || isAway || random.chance(0.005)) continue;
        rows.push([
          id,
          timeText(at),
          heavyTailed(random, 1.4, 0.5).toFixed(3),
          timeText(at + random.between(60, 600) * 1000),
        ]);
      }
  const columns = columnsOf({ meter_id: "text", read_for: "time", kwh: "decimal", received_at: "time" });
  return {
    name: "hourly_readings",
    columns,
    rows,
    loads: { column: "received_at", period: "hour", areAtOnce: true, areAlike: true },
  };
}

function totalsOf(random: Random, ids: readonly string[]): CorpusTable {
  const rows: Row[] = [];
  for (const [index, day] of daysFrom("2024-01-01", today - dayMs).entries())
    for (const [place, id] of ids.entries())
      if (index >= place * 11)
        rows.push([id, dateText(day), (33 * season(day, 0.3) + normal(random) * 4).toFixed(2)]);
  const columns = columnsOf({ meter_id: "text", day: "date", kwh: "decimal" });
  return {
    name: "daily_totals",
    columns,
    rows,
    loads: { column: "day", period: "day", areAtOnce: true, areAlike: true },
  };
}

/** One row a day. */
function weatherOf(random: Random): CorpusTable {
  const rows = daysFrom("2022-09-01", today - dayMs).map(
    (day): Row => [
      dateText(day),
      (9 - 10 * Math.cos((2 * Math.PI * (day / dayMs - 20)) / 365) + normal(random) * 3).toFixed(1),
      (random.chance(0.6) ? 0 : heavyTailed(random, 3, 1)).toFixed(1),
    ],
  );
  const columns = columnsOf({ observed_on: "date", mean_c: "float", rain_mm: "float" });
  return {
    name: "weather",
    columns,
    rows,
    loads: { column: "observed_on", period: "day", areAtOnce: true, areAlike: true },
  };
}

/** Three feeds each night, one of them not at weekends. */
function importsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-03-01", today))
    for (const feed of ["readings", "master", "bank"])
      if (feed !== "bank" || isWorkday(day))
        rows.push([
          String(rows.length + 1),
          feed,
          timeText(day + 3 * hourMs + random.between(0, 1200) * 1000),
          String(Math.round(heavyTailed(random, 700, 0.3))),
          weighted(random, { done: 98, retried: 2 }),
        ]);
  const columns = columnsOf({
    import_id: "integer",
    feed: "text",
    imported_at: "time",
    records: "integer",
    state: "text",
  });
  return {
    name: "imports",
    columns,
    rows,
    loads: { column: "imported_at", period: "day", areAtOnce: true, areAlike: true },
  };
}

/** Most on the first and fifteenth; each has its allocations. */
function paymentsOf(random: Random): CorpusTable[] {
  const [payments, allocations]: [Row[], Row[]] = [[], []];
  for (const day of daysFrom("2024-04-01", today - dayMs).filter(isWorkday)) {
    const date = new Date(day).getUTCDate();
    const isPeak = date <= 3 || (date >= 15 && date <= 17);
    for (const at of momentsOf(random, day, poisson(random, isPeak ? 48 : 12), [6, 18])) {
      const amount = heavyTailed(random, 80, 0.5);
      payments.push([
        String(payments.length + 5001),
        timeText(at),
        weighted(random, { debit: 80, transfer: 20 }),
        money(amount),
      ]);
      for (let part = 1 + poisson(random, 0.3); part > 0; part--)
        allocations.push([
          String(payments.length + 5000),
          String(allocations.length + 1),
          weighted(random, { energy: 70, grid: 20, tax: 10 }),
        ]);
    }
  }
  return [
    {
      name: "payments",
      columns: columnsOf({ payment_id: "integer key", created_at: "time", way: "text", amount: "decimal" }),
      rows: payments,
      loads: { column: "created_at", period: "day" },
    },
    {
      name: "allocations",
      columns: columnsOf({
        payment_id: "integer in payments.payment_id",
        allocation: "integer",
        part: "text",
      }),
      rows: allocations,
      loads: { childrenOf: "payment_id" },
    },
  ];
}

/** Many in a storm, and none in most weeks. */
function alarmsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  let level = 0;
  for (const day of daysFrom("2024-01-01", today)) {
    level = level * 0.7 + (random.chance(0.07) ? heavyTailed(random, 12, 0.8) : 0);
    for (const at of momentsOf(random, day, poisson(random, level)))
      rows.push([String(rows.length + 1), timeText(at), random.pick(["voltage", "tamper", "offline"])]);
  }
  return {
    name: "alarms",
    columns: columnsOf({ alarm_id: "integer", created_at: "time", kind: "text" }),
    rows,
  };
}

/** Some every week, fewer in summer; none between Christmas and New Year. */
function contractsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2021-06-01", today - dayMs))
    if (isWorkday(day) && !/-12-2[4-9]|-12-3/.test(dateText(day)))
      for (let count = poisson(random, 1.6 * season(day, 0.3)); count > 0; count--)
        rows.push([`V${20_001 + rows.length}`, dateText(day), weighted(random, { home: 80, trade: 20 })]);
  return {
    name: "contracts",
    columns: columnsOf({ contract_no: "text", signed_on: "date", segment: "text" }),
    rows,
  };
}

/** Workdays, but the teams rest for two weeks each August. */
function visitsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2023-01-02", today - dayMs)) {
    const text = dateText(day);
    if (!isWorkday(day) || isHoliday(day) || (text.slice(5) >= "08-05" && text.slice(5) <= "08-18")) continue;
    for (let count = 10 + poisson(random, 2); count > 0; count--)
      rows.push([
        String(rows.length + 1),
        text,
        `T${random.between(1, 6)}`,
        weighted(random, { done: 90, absent: 10 }),
      ]);
  }
  const columns = columnsOf({ visit_id: "integer", visited_on: "date", team: "text", outcome: "text" });
  return { name: "visits", columns, rows, loads: { column: "visited_on", period: "day" } };
}

/** Not for long yet, on workdays: nobody answers on the first of May. */
function callsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-02-05", today - dayMs).filter(isWorkday))
    for (const at of momentsOf(random, day, 16 + poisson(random, 6), [8, 17]))
      rows.push([
        String(rows.length + 70_001),
        timeText(at),
        weighted(random, { bill: 50, move: 30, outage: 15, other: 5 }),
        String(Math.round(heavyTailed(random, 240, 0.7))),
      ]);
  return {
    name: "calls",
    columns: columnsOf({ call_id: "integer", called_at: "time", about: "text", seconds: "integer" }),
    rows,
    loads: { column: "called_at", period: "day" },
  };
}

/** Some are alike by chance: a crew has its depot, and a model its name, its maker and how long it takes. */
function swapsOf(random: Random): CorpusTable {
  const crews = ["North", "South", "Harbor", "Hills", "Old Town"].map((depot, index) => ({
    crew: `C${index + 1}`,
    depot,
  }));
  const models = [
    ["E11", "Single phase, 60 A", "Volta", 1],
    ["E12", "Single phase, 100 A", "Volta", 1],
    ["E31", "Three phase, 60 A", "Volta", 2],
    ["G04", "Gas, small", "Flamm", 2],
    ["G10", "Gas, large", "Flamm", 3],
    ["W20", "Cold water", "Quell", 1],
  ] as const;
  const days = daysFrom("2024-06-03", today - dayMs).filter(isWorkday);
  const rows = Array.from({ length: 1100 }, (): Row => {
    const { crew, depot } = random.pick(crews);
    const [model, name, maker, hours] = random.pick(models);
    const from = 7 + random.between(0, 8);
    const to = from + hours + Number(random.chance(0.06));
    return [
      dateText(random.pick(days)),
      crew,
      depot,
      model,
      name,
      maker,
      `${String(from).padStart(2, "0")}:00`,
      `${String(to).padStart(2, "0")}:00`,
      weighted(random, { done: 93, refused: 7 }),
    ];
  }).sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
  const columns = columnsOf({
    swapped_on: "date",
    crew: "text",
    depot: "text",
    model: "text",
    model_name: "text",
    maker: "text",
    started: "text",
    ended: "text",
    outcome: "text",
  });
  return { name: "meter_swaps", columns, rows };
}
