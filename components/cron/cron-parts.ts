/** What is said about a schedule with a parser, which is larger than most pages: see `late-cron.ts`. */
export { cronProblem } from "@/server/jobs/cron.ts";
export { CronPresets } from "./cron-presets.tsx";
export { NextRuns } from "./next-runs.tsx";
export { scheduleWords } from "./schedule-words.ts";
