import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { confidenceOf, shownFrom } from "../server/findings/judge.ts";
import { findingKinds } from "../server/findings/kinds.ts";
import { calibration, weights } from "../server/findings/weights.ts";
import { type CellScore, cellScoreOf, dataSetsIn } from "./findings/cells.ts";
import { corpora, isMadeHere, unseen } from "./findings/corpora/all.ts";
import { fetchPackages } from "./findings/corpora/packages.ts";
import { costOfScans } from "./findings/cost.ts";
import { writeFeatures } from "./findings/features.ts";
import {
  type Calibration,
  examplesOf,
  fittedCalibration,
  fittedWeights,
  judgeWith,
  uncalibrated,
} from "./findings/fit.ts";
import { type JudgedScan, judgedScan, report } from "./findings/report.ts";
import { type Scan, scansOf } from "./findings/scan.ts";
import { isRight } from "./findings/score.ts";
import type { Weights } from "./findings/thought-out.ts";
import { weightsFile } from "./findings/weights-file.ts";
import type { Say } from "./measure.ts";

/**
 * Finds planted faults, in memory: measures how many of the faults that are planted in clean databases are found, and
 * what is found where nothing is wrong. Seeds 1 to 3 by default; each plants one fault of every kind in each database.
 *
 * `npm run bench -- findings`, with `--seeds 5`, `--faults 2` (of each kind), `--threshold 0.5`, `--database shop`
 * (repeatable), `--make 2` (another variant of the databases of our own, repeatable), `--misses 200`. `--features
 * out.jsonl` writes every candidate with its features and whether it was right. `--leave-out` judges each database by
 * weights fitted on the others, and `--fit server/findings/weights.ts` writes weights fitted on all, starting from
 * `findings/thought-out.ts`; `--keep Variant` (repeatable) leaves the weights of a kind as they are. `--unseen` uses databases
 * that weights are never fitted to.
 *
 * FINDINGS_DATASETS is a folder of `<name>/dirty.csv` and `<name>/clean.csv`, which are compared cell by cell, without
 * any answer and after the questions of Teach were answered from the clean copy; `--cells` only does that. `--cost`
 * measures the cost of a scan instead (`findings/cost.ts`).
 */
const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "3" },
    faults: { type: "string", default: "1" },
    threshold: { type: "string", default: String(shownFrom) },
    misses: { type: "string", default: "40" },
    database: { type: "string", multiple: true },
    features: { type: "string" },
    "leave-out": { type: "boolean", default: false },
    fit: { type: "string" },
    keep: { type: "string", multiple: true, default: [] },
    make: { type: "string", multiple: true, default: ["1"] },
    unseen: { type: "boolean", default: false },
    cells: { type: "boolean" },
    cost: { type: "boolean" },
  },
  allowPositionals: true,
});
const threshold = Number(values.threshold);

export async function run(say: Say): Promise<void> {
  if (values.cost) return costOfScans(say);
  if (!values.cells) plantedFaults(say);
  const folder = process.env.FINDINGS_DATASETS;
  if (folder) publishedErrors(say, folder);
  else say("\nNo FINDINGS_DATASETS: nothing was compared cell by cell");
}

function plantedFaults(say: Say): void {
  fetchPackages();
  const all = values.unseen ? unseen : corpora;
  if (values.unseen) say("\nDatabases that no weight was fitted to");
  const names = Object.keys(all).filter((name) => !values.database || values.database.includes(name));
  const scans = names.flatMap((name) => {
    // Public databases have only one variant.
    const makes = isMadeHere(name) ? values.make : values.make.slice(0, 1);
    return makes.flatMap((make) => {
      const database = all[name]?.(Number(make));
      const seeds = { from: (Number(make) - 1) * Number(values.seeds) + 1, count: Number(values.seeds) };
      return database ? [...scansOf(database, seeds, Number(values.faults))] : [];
    });
  });
  if (values.features) writeFeatures(values.features, scans, confidenceOf);
  const judged = values["leave-out"] || values.fit ? judgedUnknown(names, scans) : judgedAsShipped(scans);
  if (values.fit)
    writeFileSync(
      values.fit,
      weightsFile(fittedTo(scans), fittedCalibration(outcomesOf(judged.raw)), values.keep),
    );
  report(say, judged.scans, threshold, Number(values.misses));
}

const fittedTo = (scans: readonly Scan[]): Weights => {
  const fitted = fittedWeights(examplesOf(scans));
  for (const name of values.keep) {
    const kind = findingKinds.find((each) => each === name);
    if (!kind) throw new Error(`--keep ${name}: there are ${findingKinds.join(", ")}`);
    fitted[kind] = weights[kind];
  }
  return fitted;
};

const judgedAsShipped = (scans: readonly Scan[]) => {
  const judged = scans.map((scan) => judgedScan(scan, { judge: confidenceOf, calibration }));
  return { scans: judged, raw: judged };
};

/** Judges each database by weights and a calibration from only the others; also without the calibration. */
function judgedUnknown(names: readonly string[], scans: readonly Scan[]) {
  const others = (name: string) => scans.filter(({ database }) => database !== name);
  const judges = new Map(names.map((name) => [name, judgeWith(fittedTo(others(name)))]));
  const judgedBy = (calibrationOf: (name: string) => Calibration) =>
    scans.map((scan) =>
      judgedScan(scan, {
        judge: judges.get(scan.database) ?? confidenceOf,
        calibration: calibrationOf(scan.database),
      }),
    );
  const raw = judgedBy(() => uncalibrated);
  const calibrations = new Map(
    names.map((name) => [
      name,
      fittedCalibration(outcomesOf(raw.filter(({ database }) => database !== name))),
    ]),
  );
  return { scans: judgedBy((name) => calibrations.get(name) ?? uncalibrated), raw };
}

const outcomesOf = (judged: readonly JudgedScan[]) =>
  judged
    .filter(({ seed }) => seed > 0)
    .flatMap(({ database, findings }) =>
      findings.map(({ confidence, verdict }) => ({ database, confidence, isRight: isRight(verdict) })),
    );

function sayScore(say: Say, when: string, { precision, recall, f1, ...score }: CellScore): void {
  const figures = [precision, recall, f1].map((figure) => figure.toFixed(3));
  say(
    `${when}: precision ${figures[0]}, recall ${figures[1]}, F1 ${figures[2]} (${score.detected} were detected, ${score.hits} of them rightly)`,
  );
  for (const { column, wrong, detected, hits } of score.byColumn)
    if (wrong + detected > 0)
      say(`  ${column.padEnd(30)}${wrong} wrong, ${detected} detected, ${hits} rightly`);
}

function publishedErrors(say: Say, folder: string): void {
  for (const name of dataSetsIn(folder)) {
    const { wrong, cells, untaught, taught } = cellScoreOf(folder, name, threshold);
    say(`\n${name}: ${wrong} of ${cells} cells are wrong`);
    sayScore(say, "Without any answer", untaught);
    sayScore(say, `After ${taught.questions} answers`, taught);
  }
}
