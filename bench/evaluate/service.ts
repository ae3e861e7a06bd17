import { limits } from "../../server/data-quality/limits.ts";
import { evaluateContract } from "../../server/data-quality/service/evaluate.ts";
import { closeSources } from "../../server/data-sources/service/connected-sources.ts";
import { refreshSchema } from "../../server/data-sources/service/read-schema.ts";
import { closeDatabase } from "../../server/db/client.ts";
import { aContract, aRule } from "../../server/test/factories/contracts.ts";
import { aDataSource } from "../../server/test/factories/data-sources.ts";
import { asAdmin } from "../../server/test/factories/principals.ts";
import type { Check } from "./orders.ts";

const usualPort = { PostgreSql: 5432, MySql: 3306 };

export type Service = Awaited<ReturnType<typeof openService>>;

/** The service without HTTP, on its own database; import it after setting DATABASE_URL. */
export async function openService(watched: string) {
  const admin = await asAdmin();
  /** Connects a database by its address, and returns its ID. */
  const source = async (kind: keyof typeof usualPort, address: string): Promise<number> => {
    const { hostname, port, username, password, pathname } = new URL(address);
    const { id } = await aDataSource({
      kind,
      connection: {
        host: hostname,
        port: Number(port || usualPort[kind]),
        user: decodeURIComponent(username),
        password: decodeURIComponent(password),
        database: pathname.slice(1),
      },
    });
    // As the forms do, in which contracts are made.
    await refreshSchema(admin, id);
    return id;
  };
  const ordersSource = await source("PostgreSql", watched);
  const usual = limits.ruleTimeoutMs;
  return {
    brokenCheck: { type: "NullRate", configuration: { column: "missing", maxNullPercent: 0 } } as const,
    endlessCheck: {
      type: "CustomSql",
      configuration: { sql: "select 1 as passed from pg_sleep(86400)" },
    } as const,

    source,

    /** A contract for the orders of the watched database, or of another one. */
    async contract(
      checks: readonly Pick<Check, "type" | "configuration">[],
      where: { dataSourceId: number; schemaName?: string } = { dataSourceId: ordersSource },
    ): Promise<number> {
      const rules = checks.map(({ type, configuration }) => aRule(type, configuration));
      return (await aContract({ ...where, rules }, admin)).id;
    },

    /** Throws if an unexpected number of rules failed, because the measurement would be meaningless. */
    async evaluate(contractId: number, { failing, limitMs }: { failing: number; limitMs?: number }) {
      limits.ruleTimeoutMs = limitMs ?? usual;
      const { failedCount, ruleResults } = await evaluateContract(admin, contractId);
      if (failedCount === failing) return;
      const failed = ruleResults.filter(({ passed }) => !passed);
      throw new Error(
        `Failed: ${failed.map(({ ruleName, message }) => `${ruleName} (${message})`).join(", ")}`,
      );
    },

    async close() {
      await closeSources();
      await closeDatabase();
    },
  };
}
