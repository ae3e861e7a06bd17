import type { Sql } from "postgres";
import { median, type Say } from "../measure.ts";
import { type Check, checks } from "./orders.ts";
import type { Service } from "./service.ts";

/** Of the table's rows, how many are new. */
const share = 0.01;

/** CPU seconds of the work. */
type Cost = (work: () => Promise<void>) => () => Promise<number>;

/**
 * The same rules about the newest hundredth of the rows alone, by their time: without an index on it, the table is read, and
 * with one, only these. `cost` measures the database's CPU.
 */
export async function compareNewRows(
  say: Say,
  {
    client,
    service,
    rows,
    rounds,
    cost,
  }: { client: Sql; service: Service; rows: number; rounds: number; cost: Cost },
): Promise<void> {
  // They are a second apart.
  const [newest] = await client<{ hours: number }[]>`
    select ceil(extract(epoch from now() - max(created_at) + ${rows * share} * interval '1 second') / 3600)::int as hours
    from orders`;
  if (!newest) throw new Error("An aggregate has one row");
  const all = await service.contract(checks);
  const some = await service.contract(checks.map((check) => aboutNewRows(check, newest.hours)));
  const measured = async (contract: number) => {
    const figures: number[] = [];
    for (let round = 0; round <= rounds; round += 1)
      figures.push(await cost(() => service.evaluate(contract, { failing: 0 }))());
    return median(figures.slice(1));
  };
  const whole = await measured(all);
  const scanned = await measured(some);
  await client`create index orders_created_idx on orders (created_at)`;
  try {
    const found = await measured(some);
    const of = (seconds: number) => `${seconds.toFixed(2)} s, ${(seconds / whole).toFixed(2)} of all`;
    say(
      `The same rules about the newest ${(rows * share).toLocaleString("en")} rows; CPU of PostgreSQL, median`,
    );
    say(`  all rows                      ${whole.toFixed(2).padStart(7)} s`);
    say(`  the newest, without an index  ${of(scanned).padStart(7)}`);
    say(`  the newest, with one          ${of(found).padStart(7)}   (goal: at most 0.05)`);
  } finally {
    await client`drop index orders_created_idx`;
  }
}

function aboutNewRows({ type, configuration, ...check }: Check, lastHours: number): Check {
  const among = type === "Uniqueness" ? { duplicatesAmong: "Rows" } : {};
  return {
    ...check,
    type,
    configuration: { ...configuration, ...among, timeColumn: "created_at", lastHours },
  };
}
