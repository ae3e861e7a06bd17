import { appId } from "./client.ts";

const prefix = `${appId}-`;

/** The display name of a function: `run-evaluation` for the SDK's `plumbline-run-evaluation`. */
export const jobName = (functionId: string) =>
  functionId.startsWith(prefix) ? functionId.slice(prefix.length) : functionId;

/** The SDK's name for a display name. */
export const functionIdOf = (name: string) => prefix + name;
