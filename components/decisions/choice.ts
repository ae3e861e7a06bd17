import type { LucideIcon } from "lucide-react";

/** One way to decide: its button with its key, and the form in which it is given its reason. */
export type Choice<Decision extends string> = {
  decision: Decision;
  button: { label: string; key: string; icon: LucideIcon; variant?: "primary" | "danger" };
  form: {
    name: string;
    label: string;
    /** In characters. */
    most: number;
    rows?: number;
    variant: "primary" | "danger";
    /** What is said when nothing is written; without it, nothing need be. */
    missing?: string;
  };
};
