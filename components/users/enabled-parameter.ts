import { parseAsStringLiteral } from "nuqs/server";

export const enabledStates = ["enabled", "disabled"] as const;
export type EnabledState = (typeof enabledStates)[number];

/** Whether an account is enabled, as a filter in the URL and in a procedure's input. */
export const enabledParameter = { state: parseAsStringLiteral(enabledStates) };
export const enabledInput = (state: EnabledState | null) =>
  state === null ? {} : { enabled: state === "enabled" };
