import { z } from "zod";
import { text } from "../../db/schema-parts.ts";
import { accountProblem } from "../snowflake-address.ts";

const accountIdentifier = text(200)
  .trim()
  .superRefine((account, context) => {
    const message = accountProblem(account);
    if (message) context.addIssue({ code: "custom", message });
  });

/** A name as it is written in SQL: folded to upper case unless in double quotes. */
const snowflakeName = text(257)
  .trim()
  .regex(/^(?!\s)[^\p{Cc}]+$/u, "must be a name");

export const snowflakeConnection = z.strictObject({
  account: accountIdentifier,
  user: text(255).trim().min(1, "is required"),
  authentication: z
    .enum(["KeyPair", "OAuth"])
    .default("KeyPair")
    .meta({ description: "By the private key of a key pair, or by an OAuth access token" }),
  database: snowflakeName,
  schema: snowflakeName.default("PUBLIC").meta({ description: "For tables that are named without one" }),
  warehouse: snowflakeName.optional().meta({ description: "If omitted, the user's default" }),
  role: snowflakeName.optional().meta({ description: "If omitted, the user's default" }),
  queryTag: text(200)
    .trim()
    .default("plumbline")
    .meta({ description: "Every statement has it in the account's query history" }),
});
export const snowflakeConnectionInput = snowflakeConnection
  .extend({
    privateKey: text(20_000).optional().meta({ description: "In PEM format (PKCS #8), for KeyPair" }),
    passphrase: text(1000).optional().meta({ description: "Of the private key, if it is encrypted" }),
    token: text(20_000).optional().meta({ description: "An access token, for OAuth" }),
  })
  .refine(({ authentication, token }) => authentication === "OAuth" || !token, {
    path: ["token"],
    message: "is only for OAuth",
  })
  .refine(
    ({ authentication, privateKey, passphrase }) =>
      authentication === "KeyPair" || !(privateKey || passphrase),
    {
      path: ["privateKey"],
      message: "is only for a key pair",
    },
  )
  .refine(({ privateKey, passphrase }) => privateKey !== undefined || !passphrase, {
    path: ["privateKey"],
    message: "is required with a passphrase",
  });
export type SnowflakeConnection = z.output<typeof snowflakeConnection>;
