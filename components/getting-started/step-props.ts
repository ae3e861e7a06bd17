import type { Guide } from "@/server/getting-started/schema.ts";
import type { GuideStep } from "@/server/getting-started/steps.ts";

export type StepProps = {
  guide: Guide;
  /** Finds out again how far the guide has got. */
  refresh: () => Promise<void>;
  /** The step is done: the next open one follows. */
  proceed: () => Promise<void>;
  /** Opens a step that this one needs first. */
  open: (step: GuideStep) => void;
};
