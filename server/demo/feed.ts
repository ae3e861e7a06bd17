import type { Sql } from "postgres";

/** One flight every twelve seconds: the source's 20,000 flights last almost three days before they repeat. */
const secondsApart = 12;
const hoursKept = 48;

/** The flights in their order, numbered from 0. */
const numbered = (warehouse: Sql) => warehouse`
  select row_number() over (order by departed_at, origin, destination, distance_miles) - 1 as n, f.* from flights f`;

/** Numbers the flights once for all replays over this connection, which must be the only one. */
export async function numberFlights(warehouse: Sql): Promise<void> {
  await warehouse`create temporary table numbered_flights as ${numbered(warehouse)}`;
  await warehouse`create unique index on numbered_flights (n)`;
  await warehouse`analyze numbered_flights`;
}

/** The flights, after `numberFlights`. */
export const alreadyNumbered = (warehouse: Sql) => warehouse`select * from numbered_flights`;

/**
 * Adds departures up to now or a given time: flight number `epoch / 12 s`, cycling through the source. Existing rows
 * stay, so it can run at any time, any number of times.
 */
export async function replayFlights(warehouse: Sql, until = new Date(), flights = numbered): Promise<void> {
  const at = until.toISOString();
  await warehouse`
    with source as (${flights(warehouse)}), size as (
      select count(*) as n from flights
    ), due as (
      select generate_series(
        greatest(
          floor(extract(epoch from ${at}::timestamptz - make_interval(hours => ${hoursKept})) / ${secondsApart}::int)::bigint,
          coalesce((select max(sequence) + 1 from departures), 0)
        ),
        floor(extract(epoch from ${at}::timestamptz) / ${secondsApart}::int)::bigint
      ) as sequence
    )
    insert into departures (sequence, recorded_at, origin, destination, delay_minutes, distance_miles)
    select due.sequence, to_timestamp(due.sequence * ${secondsApart}::int), origin, destination, delay_minutes, distance_miles
    from due cross join size join source on source.n = due.sequence % size.n
    on conflict do nothing`;
  await warehouse`delete from departures where recorded_at < ${at}::timestamptz - make_interval(hours => ${hoursKept})`;
}
