/**
 * How often Inngest repeats a job at most. It is for what must happen although processes are lost at it one after
 * another: each counts as a try, and a job that only waited for something is not what has ended them.
 */
export const mostRetries = 20;
