/** What tasks can be. Pages load this file without Zod. */

export const taskStatuses = ["Open", "Resolved"] as const;

/** Least to most urgent. */
export const taskPriorities = ["Low", "Normal", "High", "Critical"] as const;
export type TaskPriority = (typeof taskPriorities)[number];
