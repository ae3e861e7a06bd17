import { accountIdentifier } from "./schema.ts";

/** The parts of snowflake://user@account/database/schema?warehouse=…&role=…&privateKeyFile=… */
export type SnowflakeAddress = {
  account: string;
  user: string;
  database: string;
  schema: string;
  warehouse?: string;
  role?: string;
  /** In place of a password; a private key is in a file. */
  token?: string;
  privateKeyFile?: string;
};

/** Parses the URL of a database of Snowflake; null if it isn't one. */
export function snowflakeAddress(text: string): SnowflakeAddress | null {
  if (!/^snowflake:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  try {
    const account = decodeURIComponent(url.hostname).replace(/\.snowflakecomputing\.(com|cn)$/i, "");
    const [, database = "", schema = "PUBLIC", ...more] = url.pathname.split("/").map(decodeURIComponent);
    const user = decodeURIComponent(url.username);
    const isWhole = url.port === "" && more.length === 0 && database !== "" && user !== "";
    if (!isWhole || !accountIdentifier.safeParse(account).success) return null;
    const optional = (name: string) => url.searchParams.get(name) || undefined;
    const [warehouse, role, privateKeyFile] = ["warehouse", "role", "privateKeyFile"].map(optional);
    const token = decodeURIComponent(url.password);
    return {
      ...{ account, user, database, schema: schema || "PUBLIC" },
      ...(warehouse && { warehouse }),
      ...(role && { role }),
      ...(token && { token }),
      ...(privateKeyFile && { privateKeyFile }),
    };
  } catch {
    return null;
  }
}
