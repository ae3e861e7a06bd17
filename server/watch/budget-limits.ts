/** The budget of a source's nightly profile. Pages load this file without Zod. */

export const minBudgetSeconds = 10;

export const maxBudgetSeconds = 4 * 3600;
