import { scheduleTick } from "./jobs/schedules.ts";

/** Every background job, from the domains' `jobs.ts`, and the schedules that the minute tick looks after. */
export const jobFunctions = [scheduleTick([])];
