import { z } from "zod";

/** The service's own database, and the keys of what is stored and signed. */
export const databaseSettings = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe("A PostgreSQL to use instead of the embedded one."),
  ENCRYPTION_KEY: z
    .string()
    .regex(
      /^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/,
      "must be 32 bytes, as 64 hexadecimal digits or in base64",
    )
    .optional()
    .describe(
      "Encrypts stored credentials (32 bytes, hexadecimal or base64). With the embedded database, generated on first start and kept in DATA_DIR.",
    ),
  ENCRYPTION_KEY_OLD: z
    .string()
    .regex(
      /^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/,
      "must be 32 bytes, as 64 hexadecimal digits or in base64",
    )
    .optional()
    .describe("The previous ENCRYPTION_KEY. Only `npm run rotate-key` uses it."),
  NEXTAUTH_SECRET: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe(
      "Signs session cookies. With the embedded database, generated on first start and kept in DATA_DIR.",
    ),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(100)
    .default(10)
    .describe(
      "Maximum number of connections to the service's own database, per process, besides two for what every request looks up and two for groups of jobs.",
    ),
};
