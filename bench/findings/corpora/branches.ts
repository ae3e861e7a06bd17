import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, heavyTailed, money, mostlyFirst, timeText, weighted } from "../draw.ts";
import { daysFrom, hourMs, isHoliday, isWorkday, momentsOf, poisson, season, weekdayOf } from "./calendar.ts";

const now = Date.parse("2025-09-05T23:10:00Z");
const today = Date.parse("2025-09-05");
const goods = [
  "rye loaf",
  "roll",
  "bagel",
  "baguette",
  "plain cake",
  "tart",
  "pretzel",
  "bun",
  "toast",
  "rusk",
];

/** Bakeries whose tills are loaded alike, one table each; tables by month; hourly logs; weekly sheets; ovens; and courses. */
export function branches(seed: number): CorpusDatabase {
  const random = new Random(seed * 29 + 11);
  const towns: [town: string, opened: string, size: number][] = [
    ["lund", "2024-10-01", 13],
    ["ystad", "2024-10-01", 9],
    ["malmo", "2024-10-01", 17],
    ["kivik", "2025-02-17", 8],
    ["hoor", "2024-10-01", 10],
  ];
  // One is rebuilt for three weeks.
  const rebuilt = Date.parse("2025-03-03");
  return {
    name: "branches",
    now,
    tables: [
      ...towns.map(([town, opened, size], index) =>
        salesOf(random, {
          town,
          opened,
          size,
          isClosed: (day) => index === 1 && day >= rebuilt && day < rebuilt + 21 * dayMs,
        }),
      ),
      ...towns.slice(0, 3).map(([town]) => deliveriesOf(random, town)),
      sheetsOf(random),
      coldLogOf(random),
      closingsOf(
        random,
        towns.map(([town]) => town),
      ),
      ...["01", "02", "03", "04", "05", "06", "07", "08"].map((month) => receiptsOf(random, month)),
      bakesOf(random, towns),
      coursesOf(random),
    ],
  };
}

type Till = { town: string; opened: string; size: number; isClosed(day: number): boolean };

/** Closed on Sundays and holidays. */
function salesOf(random: Random, { town, opened, size, isClosed }: Till): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom(opened, today)) {
    if (weekdayOf(day) === 0 || isHoliday(day) || isClosed(day)) continue;
    const mean = size * season(day, 0.1) * (weekdayOf(day) === 6 ? 1.5 : 1);
    for (const at of momentsOf(random, day, poisson(random, mean), [6, 19])) {
      const [quantity, price] = [1 + poisson(random, 1.2), cents(1.2 + random.between(0, 40) / 10)];
      rows.push([
        String(rows.length + 1),
        timeText(at),
        mostlyFirst(random, goods, 1.5),
        String(quantity),
        money(cents(quantity * price)),
      ]);
    }
  }
  const columns = columnsOf({
    receipt: "integer",
    sold_at: "time",
    article: "text",
    quantity: "integer",
    amount: "decimal",
  });
  return { name: `sales_${town}`, columns, rows, loads: { column: "sold_at", period: "day" } };
}

/** On Tuesdays and Fridays. */
function deliveriesOf(random: Random, town: string): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-03-01", today).filter(
    (each) => [2, 5].includes(weekdayOf(each)) && !isHoliday(each),
  ))
    for (const article of ["flour", "butter", "sugar", "yeast", "salt", "milk"])
      rows.push([
        `L${town.slice(0, 1).toUpperCase()}${rows.length + 100}`,
        dateText(day),
        article,
        String(Math.round(heavyTailed(random, 40, 0.4))),
        random.pick(["crate", "bag"]),
      ]);
  const columns = columnsOf({
    delivery: "text",
    received_on: "date",
    article: "text",
    amount: "integer",
    unit: "text",
  });
  return {
    name: `deliveries_${town}`,
    columns,
    rows,
    loads: { column: "received_on", period: "week", areAlike: true },
  };
}

/** One row for each employee and week, on Monday; some join and some leave. */
function sheetsOf(random: Random): CorpusTable {
  const staff = Array.from({ length: 46 }, (_, index) => ({
    no: `E${100 + index}`,
    from: random.chance(0.7) ? 0 : random.between(0, 70),
    to: random.chance(0.85) ? 999 : random.between(40, 90),
  }));
  const rows: Row[] = [];
  for (const [week, day] of daysFrom("2024-02-05", today)
    .filter((each) => weekdayOf(each) === 1)
    .entries())
    for (const { no, from, to } of staff)
      if (week >= from && week <= to)
        rows.push([
          no,
          dateText(day - 7 * dayMs),
          (20 + random.between(0, 80) / 4).toFixed(2),
          timeText(day + 5 * hourMs + random.between(0, 40) * 1000),
        ]);
  const columns = columnsOf({ employee: "text", week_of: "date", hours: "decimal", imported_at: "time" });
  return {
    name: "timesheets",
    columns,
    rows,
    loads: { column: "imported_at", period: "week", areAtOnce: true, areAlike: true },
  };
}

/** Four refrigerators each hour; now and then one does not answer. */
function coldLogOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2025-07-10", today))
    for (let hour = 0; hour < 24; hour++)
      for (const unit of ["F1", "F2", "F3", "F4"])
        if (day + (hour + 1) * hourMs < now && !random.chance(0.01))
          rows.push([
            String(rows.length + 1),
            unit,
            timeText(day + hour * hourMs + random.between(0, 50) * 1000),
            (4 + random.next() * 1.6).toFixed(1),
          ]);
  const columns = columnsOf({ id: "integer", unit: "text", recorded_at: "time", celsius: "decimal" });
  return {
    name: "cold_log",
    columns,
    rows,
    loads: { column: "recorded_at", period: "hour", areAtOnce: true, areAlike: true },
  };
}

/** Once a month, on its first workday. */
function closingsOf(random: Random, towns: readonly string[]): CorpusTable {
  const rows: Row[] = [];
  const months = daysFrom("2024-01-01", today).filter((day) => new Date(day).getUTCDate() === 1);
  for (const month of months) {
    let day = month;
    while (!isWorkday(day)) day += dayMs;
    for (const town of towns)
      for (const account of ["4000", "4010", "5000", "5100"])
        rows.push([
          dateText(month - dayMs).slice(0, 7),
          town,
          account,
          money(heavyTailed(random, 9000, 0.5)),
          timeText(day + 4 * hourMs),
        ]);
  }
  const columns = columnsOf({
    month: "text",
    branch: "text",
    account: "text",
    balance: "decimal",
    loaded_at: "time",
  });
  return { name: "closings", columns, rows };
}

/** A table for each month. */
function receiptsOf(random: Random, month: string): CorpusTable {
  const start = Date.parse(`2025-${month}-01`);
  const rows = Array.from(
    { length: random.between(420, 640) },
    (_, index): Row => [
      String(Number(month) * 10_000 + index),
      dateText(start + Math.floor(random.next() * 28) * dayMs),
      random.pick(["lund", "ystad", "malmo", "hoor"]),
      weighted(random, { cash: 30, card: 65, voucher: 5 }),
      money(heavyTailed(random, 9, 0.6)),
    ],
  );
  const columns = columnsOf({
    receipt_no: "integer",
    day: "date",
    branch: "text",
    paid_by: "text",
    amount: "decimal",
  });
  return {
    name: `receipts_2025_${month}`,
    columns,
    rows,
    ...(month !== "01" && month !== "08" && { isPart: true }),
  };
}

/** Some are alike by chance: a program says how long, how hot and for what, and an oven stands in one town. */
function bakesOf(random: Random, towns: readonly (readonly [town: string, ...unknown[]])[]): CorpusTable {
  const ovens = towns.flatMap(([town], index) =>
    [`${index + 1}A`, `${index + 1}B`].map((oven) => ({ oven, town })),
  );
  const programs = ["rye", "white", "pastry", "cake", "rusk"].map((name, index) => ({
    no: String(index + 1),
    name,
    minutes: 20 + index * 10,
    celsius: 240 - index * 15,
  }));
  const rows: Row[] = [];
  for (const day of daysFrom("2025-02-03", today).filter((each) => weekdayOf(each) !== 0 && !isHoliday(each)))
    for (let count = 6 + poisson(random, 3); count > 0; count--) {
      const [{ oven, town }, program] = [random.pick(ovens), mostlyFirst(random, programs, 1.3)];
      const from = day + 3 * hourMs + random.between(0, 24) * 900_000;
      const minutes = program.minutes + (random.chance(0.08) ? 10 : 0);
      rows.push([
        oven,
        town,
        timeText(from),
        timeText(from + minutes * 60_000),
        program.no,
        program.name,
        String(program.celsius),
      ]);
    }
  const columns = columnsOf({
    oven: "text",
    town: "text",
    baked_from: "time",
    baked_to: "time",
    program: "integer",
    program_name: "text",
    celsius: "integer",
  });
  return { name: "bakes", columns, rows };
}

/** Baking courses, booked from Tuesday to Saturday; not on holidays. */
function coursesOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2025-01-07", today).filter((each) => weekdayOf(each) >= 2 && !isHoliday(each)))
    for (let count = 9 + poisson(random, 4); count > 0; count--)
      rows.push([
        `K${30_000 + rows.length}`,
        dateText(day),
        weighted(random, { bread: 60, cake: 30, pretzel: 10 }),
        String(random.between(1, 4)),
      ]);
  return {
    name: "courses",
    columns: columnsOf({ booking: "text", booked_on: "date", course: "text", places: "integer" }),
    rows,
    loads: { column: "booked_on", period: "day" },
  };
}
