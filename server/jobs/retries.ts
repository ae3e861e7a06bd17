/**
 * Inngest's maximum number of retries. For work that must happen even if one process after another is lost during it:
 * each counts as a try, although a job that was only waiting is not what ended them.
 */
export const maxRetries = 20;

/** For work that a cron repeats anyway: losing a process once is not a failure that needs attention. */
export const cronRetries = 1;
