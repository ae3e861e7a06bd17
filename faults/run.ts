import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { admin, freePort } from "../e2e/service.ts";
import { startBadSources } from "./bad-sources.ts";
import { alertChecks } from "./checks/alerts.ts";
import { auditChecks } from "./checks/audit.ts";
import { changeChecks } from "./checks/changes.ts";
import type { Finding } from "./checks/check.ts";
import { evaluationChecks } from "./checks/evaluations.ts";
import { executionChecks } from "./checks/executions.ts";
import { planChecks } from "./checks/plans.ts";
import { scheduleChecks } from "./checks/schedules.ts";
import { clientOf } from "./client.ts";
import { Clock } from "./clock.ts";
import { startDatabase } from "./database.ts";
import { type Disturbance, disturbancesOf } from "./disturbances.ts";
import { Ledger } from "./ledger.ts";
import { startLoad } from "./load.ts";
import { Signals, waitForMoment } from "./moments.ts";
import { type Options, readOptions } from "./options.ts";
import { type Open, whenQuiet } from "./quiet.ts";
import { Random } from "./random.ts";
import { startReceivers } from "./receivers.ts";
import { Diary, printCounts, printFindings, printOpen, printWork } from "./report.ts";
import { Service } from "./service.ts";
import { makeWatchedData } from "./watched-data.ts";
import { makeWorld } from "./world.ts";

/**
 * `npm run test:faults`: the real service is killed with `kill -9` again and again, while work of every kind is in
 * progress. After each round, once nothing is in progress anymore, everything it did is checked: nothing may be lost,
 * duplicated, or stuck. docs/faults.md says what is promised, and what is done to break it.
 *
 * `-- --kills 200 --seed 7` sets the number of kills, and the seed that decides when.
 */
const scratch = join(import.meta.dirname, "../.test/faults");
const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Half a minute for leases, a minute until leftover work is found, and the same for what was interrupted twice more.
 */
const allowedMs = 300_000;

/** Each disturbance happens about once per this many kills. */
const killsPerSet = 20;

const allChecks = [
  ...scheduleChecks,
  ...evaluationChecks,
  ...executionChecks,
  ...alertChecks,
  ...planChecks,
  ...changeChecks,
  ...auditChecks,
];

async function run({ kills, killsPerRound, seed }: Options): Promise<boolean> {
  const startedAt = performance.now();
  say(`Faults: ${kills} kills, seed ${seed}`);
  mkdirSync(scratch, { recursive: true });
  const random = new Random(seed);
  const signals = new Signals();
  const ledger = new Ledger();
  const diary = new Diary();

  const database = await startDatabase(join(scratch, "database"));
  const watchedDatabase = await startDatabase(join(scratch, "watched"));
  const badSources = await startBadSources();
  const receivers = await startReceivers(random.fork(), (what) => signals.emit(what));
  const clock = new Clock(join(scratch, "clock"));
  await clock.install(database.sql, "plumbline");
  await makeWatchedData(watchedDatabase.sql);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = new Service(
    join(import.meta.dirname, "../dist/process/main.js"),
    {
      PORT: String(port),
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: "44".repeat(32),
      NEXTAUTH_SECRET: "a secret that only this suite uses, 32+ characters",
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      SMTP_URL: receivers.mailUrl,
      MAIL_FROM: "plumbline@example.com",
      OUTBOUND_ALLOW: "127.0.0.1",
      RATE_LIMIT_PRINCIPAL: "off",
      RATE_LIMIT_ADDRESS: "off",
      FAULTS_CLOCK: clock.file,
      NODE_COMPILE_CACHE: join(scratch, "compiled"),
    },
    join(scratch, "service.log"),
  );
  await service.start();
  const world = await makeWorld({
    url,
    databasePort: watchedDatabase.port,
    badPorts: badSources.ports,
    webhookUrl: receivers.webhookUrl,
  });
  // Node only writes its compile cache on a clean exit; all later starts use it.
  if ((await service.stop()) !== 0) throw new Error("The service does not end in order");
  const client = clientOf(url, world.key, () => signals.emit("sent"));

  const findings = new Map<string, Finding>();
  let isBroken = false;
  for (let left = kills, round = 1; left > 0; left -= killsPerRound, round++) {
    const count = Math.min(left, killsPerRound);
    say(`\nRound ${round}`);
    const load = startLoad({
      ...{ client, world, ledger },
      random: random.fork(),
      whenUp: () => service.whenUp(),
      answered: () => signals.emit("answered"),
    });
    const turns = new Map<number, Disturbance>();
    for (let from = 0; from < count; from += killsPerSet)
      for (const each of disturbancesOf({ database, admin: database.sql, clock, service, random }))
        turns.set(random.between(from, Math.min(from + killsPerSet, count) - 1), each);
    for (let turn = 0; turn < count; turn++) {
      const starting = service.start();
      const disturbance = turns.get(turn);
      let disturbed: Promise<unknown> = Promise.resolve();
      if (disturbance) {
        await starting;
        await delay(random.between(0, 2000));
        disturbed = disturbance.happens();
        diary.disturbed(disturbance.name);
        say(`        ${disturbance.name}`);
      }
      const moment = await waitForMoment({
        sql: database.sql,
        signals,
        random,
        whenUp: () => service.whenUp(),
        startMs: service.startTimes.at(-1) ?? 3000,
      });
      await service.kill();
      await Promise.all([starting, disturbed]);
      diary.killed(moment);
      say(`${String(diary.killCount).padStart(6)}  killed: ${moment}`);
      if (random.chance(0.2)) await delay(random.between(0, 3000));
    }
    await service.start();
    await load.stop();
    const { tookMs, open, result } = await whenQuiet(database.sql, allowedMs, (sql) =>
      look(sql, ledger, receivers.received),
    );
    const broken = result.filter(({ wrong }) => wrong.length > 0);
    for (const finding of result) findings.set(finding.what, finding);
    say(`        quiet after ${(tookMs / 1000).toFixed(0)} s: ${verdict(open, broken)}`);
    printOpen(say, open);
    if (broken.length > 0) printFindings(say, broken);
    isBroken ||= open.length > 0 || broken.length > 0;
  }

  printCounts(say, "Killed", diary.kills);
  printCounts(say, "What else happened", diary.disturbances);
  await printWork(say, database.sql, ledger, receivers.received.length);
  printFindings(say, [...findings.values()]);
  const starts = service.startTimes.toSorted((a, b) => a - b);
  say(
    `\n${service.starts} starts; up after ${((starts[Math.floor(starts.length / 2)] ?? 0) / 1000).toFixed(1)} s (median), ${((starts.at(-1) ?? 0) / 1000).toFixed(1)} s at most`,
  );
  for (const end of service.ownEnds) say(`        ended by itself: ${end}`);
  // A start without a database gives up, which is the only valid reason to exit.
  isBroken ||= service.ownEnds.some((end) => !end.includes("the database"));
  const exitCode = await service.stop();
  if (exitCode !== 0) say(`The service answered SIGTERM with ${exitCode}`);
  await receivers.stop();
  badSources.stop();
  await watchedDatabase.stop();
  await database.stop();
  const minutes = (performance.now() - startedAt) / 60_000;
  const isGood = !isBroken && exitCode === 0;
  say(
    `\n${isGood ? "Nothing was lost, duplicated, or stuck" : "FAILED"}: ${diary.killCount} kills in ${minutes.toFixed(0)} min. To repeat: npm run test:faults -- --kills ${kills} --seed ${seed}`,
  );
  return isGood;
}

async function look(
  sql: Parameters<(typeof allChecks)[number]>[0]["sql"],
  ledger: Ledger,
  received: Parameters<(typeof allChecks)[number]>[0]["received"],
) {
  const findings: Finding[] = [];
  for (const check of allChecks) findings.push(await check({ sql, ledger, received }));
  return findings;
}

function verdict(open: readonly Open[], broken: readonly Finding[]): string {
  if (open.length === 0 && broken.length === 0) return "everything holds";
  return `${open.length} kinds of things are stuck, ${broken.length} things do not hold`;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exit((await run(readOptions(process.argv.slice(2)))) ? 0 : 1);
