import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * The chart for Kubernetes as helm renders it: `npm run docs:helm` writes each example's manifests beside it. They are kept, so
 * that they can be read and are checked against Kubernetes' schemas where there is no helm.
 */
const folder = join(import.meta.dirname, "../deploy/helm");
const chart = join(folder, "plumbline");

/** The examples' names: `company` of company.yaml. */
export const examples = readdirSync(join(folder, "examples"))
  .filter((file) => file.endsWith(".yaml") && !file.endsWith(".rendered.yaml"))
  .map((file) => basename(file, ".yaml"));

const valuesOf = (example: string) => join(folder, "examples", `${example}.yaml`);
const renderedOf = (example: string) => join(folder, "examples", `${example}.rendered.yaml`);

/** The manifests that are kept of an example, as YAML documents. */
export const keptManifests = (example: string) => readFileSync(renderedOf(example), "utf8");

/** helm's version, or null where it is not installed. */
export function helmVersion(): string | null {
  try {
    return helm("version", "--short").trim();
  } catch {
    return null;
  }
}

/** The manifests of an example, or of values of one's own in a file. Throws with helm's message if the chart rejects them. */
export const render = (example: string, ...more: string[]) =>
  helm(
    "template",
    "shop",
    chart,
    "--kube-version",
    "1.34.0",
    "--namespace",
    "plumbline",
    "--values",
    valuesOf(example),
    ...more,
  );

export const lint = (example: string) =>
  helm("lint", chart, "--strict", "--kube-version", "1.34.0", "--values", valuesOf(example));

function helm(...args: string[]): string {
  return execFileSync("helm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

if (import.meta.main) for (const example of examples) writeFileSync(renderedOf(example), render(example));
