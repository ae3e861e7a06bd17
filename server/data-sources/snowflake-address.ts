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

/**
 * Why a text is not an account identifier, `organization-account` or a locator with its region, such as
 * `xy12345.eu-central-1`, also with `.privatelink`; null if it is one. It becomes part of a host name, so it has nothing
 * but its labels.
 */
export function accountProblem(account: string): string | null {
  if (account.length > 200) return "must have at most 200 characters";
  if (!/^[a-z0-9][a-z0-9_-]*[a-z0-9](\.[a-z0-9]([a-z0-9-]*[a-z0-9])?){0,3}$/i.test(account))
    return "must be an account identifier, such as myorg-account123, without https:// and snowflakecomputing.com";
  return /snowflakecomputing/i.test(account) ? "must be without snowflakecomputing.com" : null;
}

/** Parses the URL of a database of Snowflake; null if it isn't one. */
export function snowflakeAddress(text: string): SnowflakeAddress | null {
  if (!/^snowflake:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) return null;
  const url = new URL(text.trim());
  try {
    const account = decodeURIComponent(url.hostname).replace(/\.snowflakecomputing\.(com|cn)$/i, "");
    const [, database = "", schema = "PUBLIC", ...more] = url.pathname.split("/").map(decodeURIComponent);
    const user = decodeURIComponent(url.username);
    const isWhole = url.port === "" && more.length === 0 && database !== "" && user !== "";
    if (!isWhole || accountProblem(account) !== null) return null;
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
