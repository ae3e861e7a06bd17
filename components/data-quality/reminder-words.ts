import { plural } from "@/components/ui/format.ts";

/** "6 hours", "3 days". */
export function hoursText(hours: number): string {
  return hours > 24 && hours % 24 === 0 ? plural(hours / 24, "day") : plural(hours, "hour");
}
