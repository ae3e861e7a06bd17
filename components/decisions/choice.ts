import type { LucideIcon } from "@/components/ui/icons.tsx";

/** One possible decision: its button with a shortcut, and the form for its reason. */
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
    /** The error for an empty reason; omitted if the reason is optional. */
    missing?: string;
  };
};
