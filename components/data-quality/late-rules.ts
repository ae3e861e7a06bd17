import { latePart } from "@/components/ui/late-part.ts";

/** The definitions of rules and what shows them: a third of the page, and nothing that it begins with. */
export const lateRules = latePart(() => import("./rule-parts.ts"));
