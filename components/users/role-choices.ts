import type { Role } from "@/server/auth/schema.ts";
import type { Choice } from "../ui/choice-list.tsx";

/** What each role may do, the least first. */
export const roleChoices: readonly Choice<Role>[] = [
  { value: "Viewer", label: "Viewer", hint: "Sees everything, changes nothing." },
  {
    value: "Editor",
    label: "Editor",
    hint: "Writes contracts and recipients as well, and runs evaluations.",
  },
  {
    value: "Admin",
    label: "Admin",
    hint: "Manages data sources, projects, users and everybody’s keys as well, and reads the audit log.",
  },
];
