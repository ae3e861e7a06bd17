import type { Role } from "@/server/auth/schema.ts";
import type { Choice } from "../ui/choice-list.tsx";

/** What each role allows, from least to most. */
export const roleChoices: readonly Choice<Role>[] = [
  { value: "Viewer", label: "Viewer", hint: "Sees everything, changes nothing." },
  {
    value: "Editor",
    label: "Editor",
    hint: "Also edits contracts and recipients and runs evaluations.",
  },
  {
    value: "Admin",
    label: "Admin",
    hint: "Also manages data sources, projects, users, and all API keys, and reads the audit log.",
  },
];
