import { createHash } from "node:crypto";

/** Which text it was, for the audit log: by its hash, since the text itself may hold people's data. */
export function sqlFingerprint(sql: string): string {
  const hash = createHash("sha256").update(sql).digest("hex").slice(0, 16);
  return `SQL of ${sql.length} characters, SHA-256 ${hash}…`;
}
