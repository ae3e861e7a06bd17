import type { Sql } from "postgres";
import type { Clock } from "./clock.ts";
import type { Database } from "./database.ts";
import type { Random } from "./random.ts";
import type { Service } from "./service.ts";

/** What happens to the service besides being killed. */
export type Disturbance = { name: string; happens: () => Promise<unknown> };

type Around = { database: Database; admin: Sql; clock: Clock; service: Service; random: Random };

/** The disturbances of one round: its database is restarted both ways, and the clock is set forward and back. */
export function disturbancesOf({ database, admin, clock, service, random }: Around): Disturbance[] {
  const restart = (mode: "fast" | "immediate"): Disturbance => ({
    name: `PostgreSQL is restarted (${mode})`,
    happens: () => database.restart(mode),
  });
  const jump = (seconds: number): Disturbance => ({
    name: `the clock is set ${inWords(Math.abs(seconds))} ${seconds > 0 ? "forward" : "back"}`,
    happens: () => clock.jump(admin, seconds, () => service.rereadClock()),
  });
  return [
    restart("fast"),
    restart("immediate"),
    jump(random.pick([40, 600, 7200])),
    jump(-random.pick([20, 45])),
  ];
}

const inWords = (seconds: number) =>
  seconds >= 3600 ? `${seconds / 3600} h` : seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`;
