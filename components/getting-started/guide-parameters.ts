import { createLoader, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { guideSteps } from "@/server/getting-started/steps.ts";

/** The open step, and the table that rules are chosen for, in the URL. */
export const guideParameters = {
  step: parseAsStringLiteral(guideSteps),
  inSchema: parseAsString.withDefault(""),
  ofTable: parseAsString.withDefault(""),
};

export const loadGuideParameters = createLoader(guideParameters);
