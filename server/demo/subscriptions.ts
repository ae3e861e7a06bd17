import type { SubscriptionInput } from "../subscriptions/schema.ts";

/**
 * The demo's scheduled queries. "The last hour" is relative to the newest departure, so that a query means the same when
 * run now and during the replay.
 */
export type DemoQuery = {
  folder: readonly string[];
  name: string;
  description: string;
  /** One SQL text per step; steps that read earlier results need no data source. */
  steps: readonly { name: string; sql: string }[];
  subscription: Omit<SubscriptionInput, "queryId">;
};

const lastHour = "recorded_at > (select max(recorded_at) from departures) - interval '1 hour'";

export const demoQueries: DemoQuery[] = [
  {
    folder: ["Flights", "Operations"],
    name: "Flights more than three hours late",
    description: "In the last hour. Most hours have some; the task resolves after an hour without any.",
    steps: [
      {
        name: "Late flights",
        sql: `select recorded_at, origin, destination, delay_minutes
from departures
where ${lastHour} and delay_minutes > 180
order by delay_minutes desc`,
      },
    ],
    subscription: { cronExpression: "0 * * * *", createTasks: true },
  },
  {
    folder: ["Flights", "Operations"],
    name: "Average delay per hour",
    description: "One number per hour; unusual values are detected as anomalies.",
    steps: [
      {
        name: "Average",
        sql: `select round(avg(delay_minutes), 2) as average_delay_minutes, count(*) as flights
from departures
where ${lastHour}`,
      },
    ],
    subscription: {
      cronExpression: "0 * * * *",
      condition: { kind: "Always" },
      anomalyDetection: { enabled: true, metric: "FirstNumericColumn", sensitivity: 2 },
    },
  },
  {
    folder: ["Flights", "Operations"],
    name: "Late flights per early flight",
    description:
      "By airport. Divides by the number of early flights, so it fails in hours when a busy airport has none: a query to fix.",
    steps: [
      {
        name: "Ratio",
        sql: `select origin,
       count(*) as flights,
       round(count(*) filter (where delay_minutes > 15)::numeric / count(*) filter (where delay_minutes < 0), 2) as late_for_each_early
from departures
where ${lastHour}
group by origin
having count(*) >= 7
order by late_for_each_early desc`,
      },
    ],
    subscription: { cronExpression: "0 */2 * * *", condition: { kind: "Always" } },
  },
  {
    folder: ["Flights", "Integrity"],
    name: "Gaps on the departures board",
    description: "A departure comes every twelve seconds; more than a minute without one is a gap.",
    steps: [
      {
        name: "Gaps",
        sql: `select recorded_at, before, recorded_at - before as gap
from (
  select recorded_at, lag(recorded_at) over (order by recorded_at) as before
  from departures
  where ${lastHour}
) as following
where recorded_at - before > interval '1 minute'`,
      },
    ],
    subscription: { cronExpression: "30 */3 * * *", createTasks: true },
  },
  {
    folder: ["Flights", "Integrity"],
    name: "Departures from or to unknown airports",
    description: "Codes on the board that the list of airports does not have.",
    steps: [
      {
        name: "Unknown codes",
        sql: `select d.recorded_at, d.origin, d.destination
from departures d
where not exists (select from airports a where a.iata = d.origin)
   or not exists (select from airports a where a.iata = d.destination)`,
      },
    ],
    subscription: { cronExpression: "15 */6 * * *", createTasks: true },
  },
  {
    folder: ["Flights", "Integrity"],
    name: "Crews without rest",
    description:
      "Reads crew_rosters, which the warehouse does not have: it fails until someone creates the table.",
    steps: [
      {
        name: "Crews",
        sql: `select crew, count(*) as flights
from crew_rosters
where departed_at > now() - interval '1 day'
group by crew
having count(*) > 4`,
      },
    ],
    subscription: { cronExpression: "45 */6 * * *", createTasks: true },
  },
  {
    folder: ["Flights", "Operations"],
    name: "Delays by airport name",
    description: "Two steps read the warehouse; a third joins their results.",
    steps: [
      {
        name: "Delays by code",
        sql: `select origin, count(*) as flights, round(avg(delay_minutes), 1) as average_delay_minutes
from departures
where recorded_at > (select max(recorded_at) from departures) - interval '1 day'
group by origin`,
      },
      { name: "Airports", sql: "select iata, name, state from airports" },
      {
        name: "By name",
        sql: `select airports.name, airports.state, delays.flights, delays.average_delay_minutes
from @@result1 as delays
join @@result2 as airports on airports.iata = delays.origin
where delays.flights >= 100
order by delays.average_delay_minutes desc
limit 20`,
      },
    ],
    subscription: { cronExpression: "0 7 * * *", condition: { kind: "Always" } },
  },
  {
    folder: ["Reference data"],
    name: "Airports listed twice",
    description: "By name and place. There is one, under two codes.",
    steps: [
      {
        name: "Twice",
        sql: `select name, city, state, string_agg(iata, ', ' order by iata) as codes
from airports
group by name, city, state
having count(*) > 1`,
      },
    ],
    subscription: { cronExpression: "0 6 * * *", createTasks: true },
  },
  {
    folder: ["Reference data"],
    name: "Films from the future",
    description: "Two-digit years read as the wrong century.",
    steps: [
      {
        name: "Films",
        sql: `select title, release_date, distributor
from movies
where release_date >= {{after}}::date
order by release_date`,
      },
    ],
    subscription: {
      cronExpression: "30 6 * * *",
      createTasks: true,
      parameters: { after: "2012-01-01" },
    },
  },
  {
    folder: ["Reference data"],
    name: "Days without weather",
    description: "Every day of four years, at both stations.",
    steps: [
      {
        name: "Missing days",
        sql: `select location, day::date
from (select distinct location from weather) as stations
cross join generate_series(date '2012-01-01', date '2015-12-31', interval '1 day') as day
where not exists (select from weather w where w.location = stations.location and w.date = day::date)`,
      },
    ],
    subscription: { cronExpression: "15 7 * * *", createTasks: true },
  },
];
