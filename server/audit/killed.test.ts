import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { db, sql } from "../db/client.ts";
import { createProject } from "../projects/service.ts";
import { projects } from "../projects/tables.ts";
import { aUser, cookieOf } from "../test/factories/sessions.ts";
import { programEnv } from "../test/program-env.ts";
import { auditLog } from "./tables.ts";

const nameOf = async (id: number) => (await db.select().from(projects).where(eq(projects.id, id)))[0]?.name;
const renames = () => db.$count(auditLog, eq(auditLog.action, "projects.update"));

/** PostgreSQL's processes waiting to write to the log. */
const writers = () =>
  sql`select pid from pg_locks where relation = 'audit_log'::regclass and mode = 'RowExclusiveLock' and not granted
    and database = (select oid from pg_database where datname = current_database())`;

test("a process killed between a change and its entry leaves neither", async () => {
  const { id } = await createProject({ name: "Before" });
  const cookie = await cookieOf(await aUser("Admin"));
  const other = await sql.reserve();
  await other`begin`;
  await other`lock table audit_log in exclusive mode`;
  const rename = () =>
    fork(path.join(import.meta.dirname, "renamer.fixture.ts"), {
      execArgv: [],
      env: { ...process.env, ...programEnv, TEST_COOKIE: cookie, TEST_PROJECT: String(id) },
      stdio: "ignore",
    });

  const child = rename();
  const pid = await vi.waitFor(
    async () => {
      const [writer] = await writers();
      if (!writer) throw new Error("Nobody is about to write an entry");
      return writer.pid as number;
    },
    { timeout: 60_000, interval: 20 },
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  await other`rollback`;
  other.release();
  await vi.waitFor(
    async () => expect(await sql`select 1 from pg_stat_activity where pid = ${pid}`).toHaveLength(0),
    { timeout: 20_000, interval: 20 },
  );
  expect([await nameOf(id), await renames()]).toEqual(["Before", 0]);

  const [code] = await once(rename(), "exit");
  expect([code, await nameOf(id), await renames()]).toEqual([0, "After", 1]);
}, 180_000);
