import type { SnowflakeConnectionWithSecret } from "../data-sources/engines/engine.ts";

/**
 * An emulator of Snowflake for tests, if TEST_SNOWFLAKE_URL is set, as in http://127.0.0.1:8084.
 * `scripts/fakesnow-server.py` is one.
 */
const address = process.env.TEST_SNOWFLAKE_URL;

/** Has every account lead to an address, such as the emulator's or a stand-in's. */
export function reachSnowflakeAt(address: string): void {
  process.env.SNOWFLAKE_EMULATOR = address;
  process.env.OUTBOUND_ALLOW = "127.0.0.1";
}

if (address) reachSnowflakeAt(address);

export const snowflakeConnection: SnowflakeConnectionWithSecret | null =
  address === undefined
    ? null
    : {
        ...{ account: "myorg-account123", user: "plumbline", authentication: "OAuth", queryTag: "plumbline" },
        ...{ database: "SHOP", schema: "PUBLIC", secrets: { token: "emulated" } },
      };

/** Runs a statement as an administrator. */
export async function runOnSnowflake(statement: string): Promise<void> {
  let response = await fetch(`${address}/api/v2/statements?async=true`, {
    method: "POST",
    headers: { authorization: "Bearer any" },
    body: JSON.stringify({ statement, database: "SHOP", schema: "PUBLIC" }),
  });
  let body = (await response.json()) as { statementHandle: string; message: string };
  while (response.status === 202) {
    response = await fetch(`${address}/api/v2/statements/${body.statementHandle}`);
    body = (await response.json()) as typeof body;
  }
  if (response.status !== 200) throw new Error(`${body.message}: ${statement}`);
}
