import { signIn } from "../../e2e/api.ts";
import { startService } from "../../e2e/service.ts";
import type { PlainStatistics } from "./plain.ts";

/** The built service with an API key, on this database. */
export async function openService(databaseUrl: string, dataDir: string) {
  const service = await startService(dataDir, {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters",
    STATISTICS_CACHE_S: "0",
    RATE_LIMIT_PRINCIPAL: "off",
  });
  const admin = await signIn(service.url);
  const { body } = await admin("POST", "/api-keys", { name: "Bench", scopes: ["Read"] });
  const headers = { authorization: `Bearer ${(body as { rawKey: string }).rawKey}` };

  async function get(path: string): Promise<Record<string, number>> {
    const answer = await fetch(`${service.url}/svc/api${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, number>;
  }

  return {
    async get(path: string): Promise<void> {
      await get(path);
    },

    /** Throws if the two count differently, because the comparison would be meaningless. */
    async expectSame(plain: PlainStatistics): Promise<void> {
      const own = await get("/control-tower/statistics");
      const pairs = [
        [own.totalSubscriptions, plain.total],
        [own.healthySubscriptions, plain.green],
        [own.warningSubscriptions, plain.amber],
        [own.criticalSubscriptions, plain.red],
        [own.stalledSubscriptions, plain.stalled],
      ];
      if (pairs.some(([a, b]) => a !== b)) throw new Error(`They differ: ${JSON.stringify(pairs)}`);
    },

    async close(): Promise<void> {
      await service.stop();
    },
  };
}
