"use client";
import dynamic from "next/dynamic";

/** A schedule in words. The parser of schedules is larger than most pages, so it is loaded after them. */
export const Schedule = dynamic(async () => (await import("./schedule-in-words.tsx")).ScheduleInWords, {
  // Without this, what is around it would be hidden until then.
  loading: () => null,
});
