import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sessionCookie } from "../../e2e/api.ts";
import { addressesOf, pages, redirecting } from "../../e2e/every-page.ts";
import { type Service, scratch, startService } from "../../e2e/service.ts";
import { median, type Say, timed } from "../measure.ts";
import { cpuOfPostgres, cpuOfProcess } from "../server-cpu.ts";
import { memoryOf } from "./memory.ts";

const goals = { startMs: 2000, answerMs: 100, idleMb: 300 };
const idleForMs = 60_000;
const printed = 5;
const pageRounds = 5;

/** Starts the service on a new folder, and then again and again; asks each of these processes for every page once. */
export async function measureStarts(say: Say, starts: number): Promise<void> {
  const folder = join(scratch, "bench-house");
  rmSync(folder, { recursive: true, force: true });
  const start = () => timedStart(folder);

  const first = await start();
  const addressOf = await addressesOf(first.service);
  await first.service.stop();
  say("Starting, until it answers requests; milliseconds");
  line(say, "the first time, with its demo", first.ms);

  const later: number[] = [];
  const answers = new Map(pages.filter((page) => !redirecting.includes(page)).map((page) => [page, [0]]));
  let idle = Number.NaN;
  let pageCosts = { process: Number.NaN, database: Number.NaN };
  for (let n = 1; n <= starts; n++) {
    const { service, ms } = await start();
    later.push(ms);
    const headers = { cookie: await sessionCookie(service.url) };
    for (const [page, figures] of answers)
      figures[n - 1] = await timed(() => open(`${service.url}${addressOf(page)}`, headers));
    if (n === starts) {
      pageCosts = await costOfPages(
        [...answers.keys()].map((page) => `${service.url}${addressOf(page)}`),
        {
          ...{ headers, process: cpuOfProcess(service.pid) },
          database: cpuOfPostgres(
            readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0],
          ),
        },
      );
      await delay(idleForMs);
      idle = memoryOf(service.pid).now;
    }
    await service.stop();
  }
  line(say, `from then on, median of ${starts}`, median(later), `at most ${goals.startMs}`);

  say(`The first answer of each of ${answers.size} pages in a process that has just started; milliseconds`);
  const slowest = [...answers]
    .map(([page, figures]) => ({ page, ms: median(figures) }))
    .sort((a, b) => b.ms - a.ms);
  line(say, "median of all pages", median(slowest.map(({ ms }) => ms)));
  for (const { page, ms } of slowest.slice(0, printed)) line(say, page, ms, `at most ${goals.answerMs}`);

  say(
    `CPU for one of these pages, on average of ${pageRounds} rounds: ${pageCosts.process.toFixed(1)} ms in the process, ${pageCosts.database.toFixed(1)} in the database`,
  );
  say("Memory of the process, beside its database; MB");
  line(say, "idle for a minute, after all these pages", idle, `at most ${goals.idleMb}`);
}

/** The CPU milliseconds of opening a page, on average of all of them, again and again. */
async function costOfPages(
  urls: readonly string[],
  {
    headers,
    process,
    database,
  }: { headers: Record<string, string>; process: () => number; database: () => number },
): Promise<{ process: number; database: number }> {
  const before = { process: process(), database: database() };
  for (let n = 0; n < pageRounds; n++) for (const url of urls) await open(url, headers);
  const each = (now: number, then: number) => ((now - then) * 1000) / (pageRounds * urls.length);
  return { process: each(process(), before.process), database: each(database(), before.database) };
}

async function timedStart(folder: string): Promise<{ service: Service; ms: number }> {
  const startedAt = performance.now();
  const service = await startService(folder, { DEMO: "on" });
  return { service, ms: performance.now() - startedAt };
}

async function open(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { headers });
  await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
}

function line(say: Say, what: string, figure: number, goal?: string): void {
  say(
    `  ${what.padEnd(44)}${figure.toFixed(0).padStart(7)}${goal === undefined ? "" : `   (goal: ${goal})`}`,
  );
}
