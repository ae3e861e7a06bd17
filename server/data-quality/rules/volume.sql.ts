import { sqlFor } from "./rule-sql.ts";
import { volume } from "./volume.ts";

export const volumeSql = sqlFor(volume, { measure: (sql) => ({ aggregates: { total: sql.count() } }) });
