import { isAbsolute } from "node:path";
import { z } from "zod";
import { folders, type Refuse, type Values } from "./values.ts";

/** Where data sources may take passwords from, instead of storing them. */
export const secretsByReferenceSettings = {
  SECRETS_ENV_PREFIX: z
    .string()
    .regex(
      /^[A-Za-z](\w|\{project\})*_$/,
      "must be the beginning of names of variables and end with _, such as WAREHOUSE_SECRET_",
    )
    .optional()
    .describe(
      "Data sources may take passwords from environment variables whose names begin with this: {{env:WAREHOUSE_SECRET_SALES}}. {project} in it stands for the ID of the data source's project. Not allowed unless set.",
    ),
  SECRETS_FOLDERS: folders
    .default([])
    .describe(
      "Folders, separated by commas, with files from which data sources may take passwords: {{file:/run/secrets/sales}}. {project} stands for the project's ID. None by default.",
    ),
  SECRETS_VAULT_ADDRESS: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "A Vault or OpenBao from whose KV version 2 data sources may take passwords: {{vault:mount/path#field}}.",
    ),
  SECRETS_VAULT_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
    .optional()
    .describe("The token for Vault."),
  SECRETS_VAULT_TOKEN_FILE: z
    .string()
    .refine(isAbsolute, "must be an absolute path")
    .optional()
    .describe(
      "Instead of SECRETS_VAULT_TOKEN: a file with the token, read again for every request, so that an agent may renew it.",
    ),
  SECRETS_VAULT_NAMESPACE: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII")
    .optional()
    .describe("The namespace in Vault."),
  SECRETS_VAULT_PATHS: z
    .string()
    .regex(
      /^[^\s/,]+\/([^\s,]*\/)?(,\s*[^\s/,]+\/([^\s,]*\/)?)*$/,
      "must look like kv/plumbline/,other-mount/warehouses/ and end with slashes",
    )
    .transform((text) => text.split(",").map((each) => each.trim()))
    .optional()
    .describe(
      "The beginnings of mount and path that may be read from Vault, such as kv/plumbline/. {project} stands for the project's ID.",
    ),
};

/** Refuses a Vault without its one token, or without what may be read from it. */
export function checkSecretsByReference(s: Values<typeof secretsByReferenceSettings>, refuse: Refuse): void {
  if (s.SECRETS_VAULT_TOKEN && s.SECRETS_VAULT_TOKEN_FILE)
    refuse("SECRETS_VAULT_TOKEN", "and SECRETS_VAULT_TOKEN_FILE are mutually exclusive: set one");
  if (s.SECRETS_VAULT_ADDRESS && !(s.SECRETS_VAULT_TOKEN ?? s.SECRETS_VAULT_TOKEN_FILE))
    refuse("SECRETS_VAULT_TOKEN", "or SECRETS_VAULT_TOKEN_FILE is required by SECRETS_VAULT_ADDRESS");
  if (s.SECRETS_VAULT_ADDRESS && !s.SECRETS_VAULT_PATHS)
    refuse("SECRETS_VAULT_PATHS", "is required by SECRETS_VAULT_ADDRESS");
}
