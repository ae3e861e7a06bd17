import { valueText } from "../edits/value-words.ts";
import type { ScanScheduleValue } from "./scan-schedule.tsx";

/** What the fields of a data source's forms are called, by their paths. */
export const fieldLabels: Record<string, string> = {
  name: "Name",
  allowedFunctions: "Allowed functions",
  scanSchedule: "Scan schedule",
  dailyBudget: "Daily budget",
  "connection.host": "Host",
  "connection.port": "Port",
  "connection.database": "Database",
  "connection.user": "User",
  "connection.ssl": "Encryption (TLS)",
  "connection.trustServerCertificate": "Accepting a certificate that cannot be verified",
  "connection.caCertificate": "CA certificate",
  "connection.sqlServer": "SQL Server's options",
  "connection.account": "Account",
  "connection.authentication": "Authentication",
  "connection.schema": "Schema",
  "connection.warehouse": "Warehouse",
  "connection.role": "Role",
  "connection.queryTag": "Query tag",
  "connection.baseUrl": "Base URL",
  "connection.headers": "Headers",
  "connection.folder": "Folder",
  "connection.bucket": "Bucket",
  "connection.prefix": "Prefix",
  "connection.region": "Region",
  "connection.endpoint": "Endpoint",
  "connection.accessKeyId": "Access key ID",
  "connection.addresses": "Addresses",
  "connection.patterns": "Patterns",
  "connection.billingProject": "Billing project",
  "connection.dataProject": "Data project",
  "connection.dataset": "Dataset",
  "connection.location": "Location",
  "connection.maxGigabytes": "Most GB billed by a statement",
};

/** A value as the notice about another person's edit shows it. */
export function fieldText(value: unknown, path: string): string {
  if (path === "scanSchedule") {
    const { isOn, cronExpression, timezone } = value as ScanScheduleValue;
    return isOn ? `“${cronExpression}” (${timezone})` : "off";
  }
  return typeof value === "string" && value.includes("\n")
    ? `“${value.split("\n").join(", ")}”`
    : valueText(value);
}
