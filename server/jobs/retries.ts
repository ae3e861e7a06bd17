/**
 * How often Inngest repeats a job at most. It is for what must happen although processes are lost at it one after
 * another: each counts as a try, and a job that only waited for something is not what has ended them.
 */
export const mostRetries = 20;

/** For what a cron repeats anyway: a process that is lost at it is no failure that somebody has to look at. */
export const cronRetries = 1;
