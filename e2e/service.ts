import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The user that journeys sign in as: the first Admin, created from ADMIN_EMAIL and ADMIN_PASSWORD. */
export const admin = { email: "admin@plumbline.example", password: "correct horse battery staple" };

/** The folder for data of a test run, which `npm test` chooses. */
export const scratch = process.env.TEST_SCRATCH ?? join(root, ".test");

export type Service = {
  url: string;
  /** Of its process. */
  pid: number | undefined;
  /** Everything printed so far. */
  output(): string;
  /** Stops it, as an operator or Ctrl-C would, and returns its exit code. */
  stop(signal?: "SIGTERM" | "SIGINT"): Promise<number | null>;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
};

/** Starts the built service on a data folder, on a free port by default, and waits until it serves requests. */
export async function startService(dataDir: string, more: Record<string, string> = {}): Promise<Service> {
  const port = more.PORT ?? String(await freePort());
  // Every service compiles the same files.
  const { PATH, HOME, NODE_ENV, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["--max-semi-space-size=16", "dist/process/main.js"], {
    cwd: root,
    env: {
      ...{ PATH, HOME, NODE_ENV, NODE_COMPILE_CACHE, PORT: port, DATA_DIR: dataDir, DEMO: "off" },
      ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A failed test must not leave it behind.
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let output = "";
  let isStarting = true;
  const serves = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
      // It prints its address once it serves requests. Later output may be long, and is not searched.
      if (isStarting && output.includes("Plumbline is at ")) {
        isStarting = false;
        serves.resolve();
      }
    });
  child.once("close", () => serves.reject(new Error(`The service did not start:\n${output}`)));
  await serves.promise;
  const ended = () => (child.exitCode === null && child.signalCode === null ? once(child, "exit") : null);
  return {
    url: `http://localhost:${port}`,
    pid: child.pid,
    output: () => output,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended();
      return child.exitCode;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended();
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
