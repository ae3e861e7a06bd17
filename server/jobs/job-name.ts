import { appId } from "./client.ts";

const prefix = `${appId}-`;

/** What people call a function that the SDK names `plumbline-run-evaluation`. */
export const jobName = (functionId: string) =>
  functionId.startsWith(prefix) ? functionId.slice(prefix.length) : functionId;

/** The other way. */
export const functionIdOf = (name: string) => prefix + name;
