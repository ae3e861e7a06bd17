import { rmSync } from "node:fs";
import { join } from "node:path";
import { signIn } from "../e2e/api.ts";
import { scratch, startService } from "../e2e/service.ts";
import { interleave, median, throughput } from "./measure.ts";

/**
 * Measures the cost of an API key: the same GET with and without one, on the built service and its embedded database.
 * GET /setup/status is public and does one indexed read; with a key the same handler also looks up the key, in one more
 * round trip. This is the worst case: every other read does more work.
 * the key as well, in one more round trip. This is the worst case for a key: every other read does more work.
 */
const rounds = 25;
const ms = 600;
const few = 16;
const many = 200;

export async function run(say: (line: string) => void): Promise<void> {
  const dataDir = join(scratch, "bench-keys");
  rmSync(dataDir, { recursive: true, force: true });
  const service = await startService(dataDir, { RATE_LIMIT_PRINCIPAL: "off", RATE_LIMIT_ADDRESS: "off" });
  try {
    const admin = await signIn(service.url);
    const { body } = await admin("POST", "/api-keys", { name: "Bench", scopes: ["Read"] });
    const key = { authorization: `Bearer ${(body as { rawKey: string }).rawKey}` };
    const url = `${service.url}/svc/api/setup/status`;
    say(
      `GET /svc/api/setup/status: requests a second, median of ${rounds} rounds of ${ms / 1000} s in turns`,
    );
    for (const connections of [few, many]) {
      const plain = () => throughput(url, {}, { connections, ms });
      const keyed = () => throughput(url, key, { connections, ms });
      const [without = [], withKey = []] = await interleave([plain, keyed], rounds);
      say(`  ${connections} connections without a key  ${summary(without)}`);
      say(`  ${connections} connections with one key   ${summary(withKey)}`);
      const shares = withKey.map((figure, round) => figure / (without[round] ?? 0));
      say(`  a key keeps ${(100 * median(shares)).toFixed(1)} % (median of the rounds' ratios)`);
    }
    say("The goal is at least 85 %.");
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const summary = (figures: readonly number[]) =>
  `${median(figures).toFixed(0).padStart(6)}   (${Math.min(...figures).toFixed(0)} to ${Math.max(...figures).toFixed(0)})`;
