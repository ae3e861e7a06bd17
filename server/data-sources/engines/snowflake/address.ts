import { env } from "../../../env.ts";

/**
 * Where an account is reached. The identifier has been checked to be labels of a host name (`accountIdentifier` in
 * connections/snowflake.ts), so the host is always one of Snowflake's; an underscore in a name is a hyphen in the host.
 */
export function addressOf(account: string): URL {
  const emulator = env().SNOWFLAKE_EMULATOR;
  if (emulator !== undefined) return new URL(emulator);
  const labels = account.toLowerCase().replaceAll("_", "-");
  // Regions in China have a domain of their own.
  const domain = /\.cn-[a-z0-9-]+/.test(labels) ? "snowflakecomputing.cn" : "snowflakecomputing.com";
  return new URL(`https://${labels}.${domain}`);
}
