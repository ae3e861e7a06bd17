import { calibrated } from "../../server/findings/judge.ts";
import { findingKinds } from "../../server/findings/kinds.ts";
import { type Judged, merge } from "../../server/findings/merge.ts";
import type { Say } from "../measure.ts";
import { whyAgreed } from "./agreed.ts";
import { calibration } from "./calibration.ts";
import { count, share, table } from "./figures.ts";
import type { Calibration } from "./fit.ts";
import { type Planted, plantedKinds } from "./plant.ts";
import type { Scan } from "./scan.ts";
import { finds, isRight, type Judge, keyOf, type Verdict } from "./score.ts";

/** A scan with its judged findings. */
export type JudgedScan = Scan & { findings: readonly (Judged & { verdict: Verdict })[] };

export function judgedScan(
  scan: Scan,
  { judge, calibration }: { judge: Judge; calibration: Calibration },
): JudgedScan {
  const judged = scan.candidates.map((candidate) => ({ candidate, confidence: judge(candidate) }));
  const findings = merge(judged).map(({ candidate, confidence }) => ({
    candidate,
    confidence: calibrated(confidence, calibration),
    verdict: scan.verdicts.get(candidate) ?? "stray",
  }));
  return { ...scan, findings };
}

const isDirty = ({ seed }: Scan) => seed > 0;

/** Reports what was found, what was missed, and what is no fault, counting findings with at least this confidence. */
export function report(say: Say, scans: readonly JudgedScan[], threshold: number, maxMisses: number): void {
  const databases = [...new Set(scans.map(({ database }) => database))];
  const outcomes = scans
    .filter(isDirty)
    .flatMap((scan) => scan.faults.map((fault) => outcomeOf(scan, fault, threshold)));
  const row = (name: string, of: Outcome[]) => {
    const found = of.filter(({ best }) => best >= threshold);
    const shares = [
      share(found.length, of.length),
      share(of.filter(({ isCandidate }) => isCandidate).length, of.length),
      share(found.filter(({ isOfKind }) => isOfKind).length, found.length),
    ];
    return [name, count(of.length), ...shares];
  };
  const titles = ["planted", "found", "a candidate", "of its kind"];
  table(
    say,
    `Planted faults, found with a confidence of ${threshold} or more`,
    ["kind", ...titles],
    [
      ...plantedKinds.map((kind) =>
        row(
          kind,
          outcomes.filter(({ fault }) => fault.kind === kind),
        ),
      ),
      row("all", outcomes),
    ],
  );
  table(
    say,
    "",
    ["database", ...titles],
    databases.map((name) =>
      row(
        name,
        outcomes.filter(({ scan }) => scan.database === name),
      ),
    ),
  );
  falseAlarms(say, scans, threshold, databases);
  calibration(
    say,
    "Confidence and how many were right",
    scans.filter(isDirty).flatMap(({ database, findings }) =>
      findings.map(({ candidate, confidence, verdict }) => ({
        confidence,
        isRight: isRight(verdict),
        database,
        what: keyOf(candidate),
      })),
    ),
  );
  times(say, scans);
  cleanCopies(say, scans, threshold);
  misses(
    say,
    outcomes.filter(({ best }) => best < threshold),
    maxMisses,
  );
}

type Outcome = { scan: JudgedScan; fault: Planted; best: number; isCandidate: boolean; isOfKind: boolean };

function outcomeOf(scan: JudgedScan, fault: Planted, threshold: number): Outcome {
  const found = scan.findings.filter(({ candidate }) => finds(candidate, fault));
  return {
    scan,
    fault,
    best: found.reduce((max, { confidence }) => Math.max(max, confidence), 0),
    isCandidate: scan.candidates.some((candidate) => finds(candidate, fault)),
    isOfKind: found.some(
      ({ candidate, confidence }) => confidence >= threshold && candidate.kind === fault.kind,
    ),
  };
}

function falseAlarms(say: Say, scans: readonly JudgedScan[], threshold: number, databases: string[]): void {
  const shown = scans
    .filter(isDirty)
    .flatMap(({ database, findings }) =>
      findings
        .filter(({ confidence }) => confidence >= threshold)
        .map((finding) => ({ database, ...finding })),
    );
  const row = (name: string, of: typeof shown) => {
    const having = (verdict: Verdict) => of.filter((finding) => finding.verdict === verdict).length;
    const [right, agreed, alarms, strays] = [
      having("right"),
      having("agreed"),
      having("false alarm"),
      having("stray"),
    ];
    return [
      name,
      ...[of.length, right, agreed, alarms, strays].map(count),
      share(alarms + strays, of.length),
    ];
  };
  const titles = ["shown", "right", "agreed", "false alarm", "stray", "wrong"];
  table(
    say,
    "Findings on the planted copies; what is on the clean copy as well is agreed with or a false alarm",
    ["kind", ...titles],
    [
      ...findingKinds.map((kind) =>
        row(
          kind,
          shown.filter(({ candidate }) => candidate.kind === kind),
        ),
      ),
      row("all", shown),
    ],
  );
  table(
    say,
    "",
    ["database", ...titles],
    databases.map((name) =>
      row(
        name,
        shown.filter(({ database }) => database === name),
      ),
    ),
  );
}

function times(say: Say, scans: readonly Scan[]): void {
  const names = [...new Set(scans.flatMap(({ msByDetector }) => [...msByDetector.keys()]))];
  table(
    say,
    "Milliseconds of a scan",
    ["detector", "mean", "most", "where"],
    names.map((name) => {
      const all = scans.map(({ database, msByDetector }) => ({ database, ms: msByDetector.get(name) ?? 0 }));
      const worst = all.reduce((most, each) => (each.ms > most.ms ? each : most));
      return [
        name,
        count(all.reduce((sum, { ms }) => sum + ms, 0) / all.length),
        count(worst.ms),
        worst.database,
      ];
    }),
  );
}

function cleanCopies(say: Say, scans: readonly JudgedScan[], threshold: number): void {
  say("\nFindings on the clean copies, for a person to judge");
  for (const { database, findings } of scans.filter((scan) => !isDirty(scan))) {
    const shown = findings.filter(({ confidence }) => confidence >= threshold);
    if (shown.length > 0) say(`  ${database}`);
    for (const { candidate, confidence } of shown) {
      const why = whyAgreed(database, candidate);
      say(
        `    ${confidence.toFixed(2)} ${candidate.kind}: ${candidate.statement}${why === null ? "" : ` [agreed: ${why}]`}`,
      );
    }
  }
}

/** Starts with those that no detector saw, and among them with those of the most rows. */
function misses(say: Say, missed: readonly Outcome[], max: number): void {
  const worst = missed.toSorted(
    (a, b) =>
      Number(a.isCandidate) - Number(b.isCandidate) ||
      a.best - b.best ||
      b.fault.rows.length - a.fault.rows.length,
  );
  say(`\nMissed: ${missed.length}${missed.length > max ? `, of which these ${max}` : ""}`);
  for (const { scan, fault, best, isCandidate } of worst.slice(0, max)) {
    const { kind, tableName, columns, how, rows } = fault;
    const where = `${tableName}.${columns.slice(0, 4).join()}${columns.length > 4 ? ",…" : ""}`;
    say(
      `  ${scan.database} ${scan.seed}  ${kind}: ${where}, ${how}, ${rows.length} rows; ${best > 0 ? `confidence ${best.toFixed(2)}` : isCandidate ? "merged into what is something else" : "no candidate"}`,
    );
  }
}
