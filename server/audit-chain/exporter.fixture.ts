import { closeDatabase } from "../db/client.ts";
import { exportEntries } from "./service/export-entries.ts";

/** Exports once, in a process that can be killed. */
await exportEntries();
await closeDatabase();
