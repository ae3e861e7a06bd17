import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const root = join(import.meta.dirname, "..");
const longestStartMs = 60_000;

/** The real service in its own process, which is killed and restarted. */
export class Service {
  readonly #program: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: string;
  #child: ChildProcess | null = null;
  #isUp = Promise.withResolvers<void>();
  #isWanted = false;
  /** The number of starts, and the duration of those that succeeded, in milliseconds. */
  starts = 0;
  readonly startTimes: number[] = [];
  /** Exits that were not kills, with the last line of output. */
  readonly ownEnds: string[] = [];

  constructor(program: string, settings: Record<string, string>, log: string) {
    this.#program = program;
    const { PATH, HOME } = process.env;
    this.#env = { NODE_ENV: "production", PATH, HOME, ...settings };
    this.#log = log;
    closeSync(openSync(log, "w"));
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves once it serves requests. If a start is killed, waits for the next one. */
  async whenUp(): Promise<void> {
    await this.#isUp.promise;
  }

  #spawn(): void {
    this.starts += 1;
    this.#isUp = freshPromise(this.#isUp);
    const written = statSync(this.#log).size;
    const log = openSync(this.#log, "a");
    const child = spawn(process.execPath, ["--import", "./faults/shifted-date.mjs", this.#program], {
      ...{ cwd: root, env: this.#env, stdio: ["ignore", log, log] },
    });
    closeSync(log);
    this.#child = child;
    const said = () => readFileSync(this.#log).subarray(written).toString();
    child.once("exit", (code, signal) => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#isUp = freshPromise(this.#isUp);
      this.ownEnds.push(`${signal ?? code}: ${said().trim().split("\n").at(-1) ?? ""}`);
    });
    void this.#watchStart(child, said, performance.now());
  }

  async #watchStart(child: ChildProcess, said: () => string, startedAt: number): Promise<void> {
    while (this.#child === child) {
      if (said().includes("Plumbline is at ")) {
        this.startTimes.push(performance.now() - startedAt);
        return this.#isUp.resolve();
      }
      await delay(25);
    }
  }

  /**
   * Starts it, until it serves requests or is killed. If it exits because its database is away, starts it again, as a
   * supervisor would.
   */
  async start(): Promise<void> {
    this.#isWanted = true;
    const until = performance.now() + longestStartMs;
    while (performance.now() < until) {
      if (!this.#isWanted) return;
      if (!this.#child) this.#spawn();
      const child = this.#child;
      const ended = child ? once(child, "exit") : Promise.resolve();
      const isUp = await Promise.race([this.#isUp.promise.then(() => true), ended.then(() => false)]);
      if (isUp) return;
      await delay(200);
    }
    throw new Error(`The service did not come up within ${longestStartMs / 1000} s: see ${this.#log}`);
  }

  /** Kills it, as a crash would: it has exited when this resolves. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#isWanted = false;
    this.#child = null;
    this.#isUp = freshPromise(this.#isUp);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** Stops it as an operator would, and returns its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    this.#isWanted = false;
    this.#child = null;
    if (!child) return null;
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return child.exitCode;
  }

  /** Makes the process reread its clock. */
  rereadClock(): void {
    this.#child?.kill("SIGUSR2");
  }
}

/** Whoever waits for the previous promise also waits for the new one. */
function freshPromise(former: PromiseWithResolvers<void>): PromiseWithResolvers<void> {
  const fresh = Promise.withResolvers<void>();
  void fresh.promise.then(former.resolve);
  return fresh;
}
