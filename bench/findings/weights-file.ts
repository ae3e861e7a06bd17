import type { Calibration } from "./fit.ts";
import type { Weights } from "./thought-out.ts";

const header = (kept: readonly string[]) => `import type { FindingKind } from "./kinds.ts";

/**
 * How much each feature speaks for a candidate of a kind (above 0) or against it, on the logistic scale: 2.2 in sum is a
 * confidence of 0.9, 0 is one of 0.5.
 *
 * Fitted by \`npm run bench -- findings --fit\`: logistic regression on candidates in clean databases with planted
 * faults, from weights that were thought out and that stay as they are where examples are few
 * (\`bench/findings/thought-out.ts\`). They know no data set, and how well they do is measured on databases that they were
 * not fitted to.${
   kept.length === 0
     ? ""
     : `
 *
 * Those of ${kept.join(", ")} were fitted to fewer databases, and kept: fitted again, they found less of
 * what is wrong in databases that people have published (docs/findings.md).`
 }
 */
`;

/** The text of `weights.ts`; `kept` are kinds whose weights are those of a fit before. */
export function weightsFile(
  weights: Weights,
  calibration: Calibration,
  kept: readonly string[] = [],
): string {
  const kinds = Object.entries(weights).map(([kind, features]) => {
    const lines = Object.entries(features).map(([name, weight]) => `    ${name}: ${weight},\n`);
    return `  ${kind}: {\n${lines.join("")}  },\n`;
  });
  return `${header(kept)}export const weights: Record<FindingKind, { bias: number } & Record<string, number>> = {
${kinds.join("")}};

/**
 * What confidence means: how often findings that were said to be so sure were right, on databases that were left out.
 * Straight lines are between these points.
 */
export const calibration: readonly (readonly [said: number, right: number])[] = ${JSON.stringify(calibration)};
`;
}
