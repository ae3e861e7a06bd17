import type { SnowflakeConnection } from "@/server/data-sources/connections/snowflake.ts";

/** The fields of the form; what is empty is not sent. */
export type SnowflakeFields = Record<
  | "account"
  | "user"
  | "privateKey"
  | "passphrase"
  | "token"
  | "database"
  | "schema"
  | "warehouse"
  | "role"
  | "queryTag",
  string
> & { authentication: SnowflakeConnection["authentication"] };

export const emptyFields: SnowflakeFields = {
  ...{ account: "", user: "", authentication: "KeyPair", privateKey: "", passphrase: "", token: "" },
  ...{ database: "", schema: "PUBLIC", warehouse: "", role: "", queryTag: "plumbline" },
};

export const fieldsOf = (connection: SnowflakeConnection): SnowflakeFields => ({
  ...emptyFields,
  ...connection,
  warehouse: connection.warehouse ?? "",
  role: connection.role ?? "",
});

/** The API input: a secret that was not typed is omitted, to keep the stored one. */
export function connectionOf(fields: SnowflakeFields) {
  const { account, user, authentication, database, schema, warehouse, role, queryTag } = fields;
  const { privateKey, passphrase, token } = fields;
  const isOAuth = authentication === "OAuth";
  return {
    ...{ account: account.trim(), user, authentication, database, schema, queryTag },
    ...(warehouse.trim() !== "" && { warehouse }),
    ...(role.trim() !== "" && { role }),
    ...(isOAuth && token.trim() !== "" && { token: token.trim() }),
    ...(!isOAuth && privateKey.trim() !== "" && { privateKey }),
    ...(!isOAuth && privateKey.trim() !== "" && passphrase !== "" && { passphrase }),
  };
}

/** The account identifier in an account's address, https://myorg-account123.snowflakecomputing.com; null for other texts. */
export function accountIn(text: string): string | null {
  return /^(?:https:\/\/)?([a-z0-9._-]+)\.snowflakecomputing\.(?:com|cn)\b/i.exec(text.trim())?.[1] ?? null;
}
