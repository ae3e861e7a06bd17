import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { learn, nothingLearned, type Series, unusualnessOf } from "../../server/normal/learned.ts";
import { normalRangeOf, type PastValue } from "../../server/subscriptions/anomaly.ts";
import { type AnomalyMethod, anomalyMethods, defaultSensitivity } from "../../server/subscriptions/kinds.ts";
import type { Say } from "../measure.ts";

/**
 * The methods on the series of the Numenta Anomaly Benchmark. It scores with its own scorer, which finds the best
 * threshold for each method over the series it is given, as for the published figures. Two halves show how much the
 * figures depend on the series.
 */
const run = promisify(execFile);

/** Points after an alarm of a method without a memory in which only a more unusual one counts as another incident. */
const sameIncident = 288;

type Point = { time: string; at: Date; value: number };

export async function printNabScores(folder: string, say: Say): Promise<void> {
  const windows: Record<string, unknown> = JSON.parse(
    readFileSync(join(folder, "labels", "combined_windows.json"), "utf8"),
  );
  const files = Object.keys(windows).sort();
  const halves = {
    "all series": files,
    "every second, from the first": files.filter((_, n) => n % 2 === 0),
    "every second, from the second": files.filter((_, n) => n % 2 === 1),
  };
  const scores = new Map(anomalyMethods.map((method) => [method, new Map<string, string>()]));
  for (const file of files) {
    const points = readPoints(join(folder, "data", file));
    for (const method of anomalyMethods)
      scores.get(method)?.set(file, resultOf(points, scoresBy(method, points)));
  }
  say("\nNumenta Anomaly Benchmark, standard profile");
  for (const [name, chosen] of Object.entries(halves)) {
    say(`${name}: ${chosen.length}`);
    const figures = await scoreBy(folder, chosen, windows, scores);
    for (const method of anomalyMethods)
      say(`  ${method.padEnd(18)} ${figures(method).toFixed(1).padStart(6)}`);
  }
}

function readPoints(path: string): Point[] {
  const [, ...lines] = readFileSync(path, "utf8").trim().split(/\r?\n/);
  return lines.map((line) => {
    const [time = "", value = ""] = line.split(",");
    return { time, at: new Date(`${time.replace(" ", "T")}Z`), value: Number(value) };
  });
}

/** How unusual each point is, 0 to 1, judged on those before it. */
function scoresBy(method: AnomalyMethod, points: readonly Point[]): number[] {
  if (method === "Learned")
    return beginnings(learnedDistances(points)).map((distance) => distance / (distance + 1));
  const distances = rangeDistances(method, points);
  let last = { place: Number.NEGATIVE_INFINITY, distance: 0 };
  return distances.map((distance, place) => {
    if (place - last.place < sameIncident && distance <= last.distance) return 0;
    if (distance > 1) last = { place, distance };
    return distance / (distance + 1);
  });
}

/** Of a run of alarms its first: that is what a person is told. */
const beginnings = (distances: readonly number[]) =>
  distances.map((distance, place) => (distance > 1 && (distances[place - 1] ?? 0) > 1 ? 0 : distance));

function learnedDistances(points: readonly Point[]): number[] {
  const series: Series = { kind: "Number", timezone: "UTC" };
  const learned = nothingLearned();
  return points.map(({ at, value }) => {
    const sigmas = Math.abs(unusualnessOf(learned, series, at, value) ?? 0);
    learn(learned, series, at, value);
    return sigmas / defaultSensitivity.Learned;
  });
}

/** The distance from the middle, in the allowed distances. */
function rangeDistances(method: AnomalyMethod, points: readonly PastValue[]): number[] {
  const detection = {
    method,
    sensitivity: defaultSensitivity[method],
    metric: "FirstNumericColumn",
  } as const;
  let begin = 0;
  return points.map(({ at, value }, place) => {
    while ((points[begin]?.at.getTime() ?? 0) < at.getTime() - 30 * 86_400_000) begin += 1;
    const usual = normalRangeOf(value, points.slice(begin, place), detection, { at, timezone: "UTC" });
    if (!usual) return 0;
    const allowed = Math.abs((value > usual.center ? usual.high : usual.low) - usual.center);
    const distance = Math.abs(value - usual.center);
    return distance === 0 ? 0 : allowed === 0 ? 1000 : Math.min(1000, distance / allowed);
  });
}

const resultOf = (points: readonly Point[], scores: readonly number[]) =>
  [
    "timestamp,value,anomaly_score,label",
    ...points.map(({ time, value }, n) => `${time},${value},${scores[n]},0`),
  ].join("\n");

/** Lets the benchmark score results, in a folder of its own; returns the score by method. */
async function scoreBy(
  folder: string,
  files: readonly string[],
  windows: Record<string, unknown>,
  scores: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<(method: string) => number> {
  const work = mkdtempSync(join(tmpdir(), "plumbline-nab-"));
  try {
    const [dataDir, resultsDir] = [join(work, "data"), join(work, "results")];
    const write = (path: string, text: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    const windowsFile = join(work, "windows.json");
    const thresholdsFile = join(work, "thresholds.json");
    write(windowsFile, JSON.stringify(Object.fromEntries(files.map((file) => [file, windows[file]]))));
    write(thresholdsFile, "{}");
    for (const file of files) {
      mkdirSync(dirname(join(dataDir, file)), { recursive: true });
      cpSync(join(folder, "data", file), join(dataDir, file));
      const points = readPoints(join(folder, "data", file));
      const inResults = (detector: string) =>
        join(resultsDir, detector, dirname(file), `${detector}_${basename(file)}`);
      // What the scores are measured from: a detector that finds nothing.
      write(
        inResults("null"),
        resultOf(
          points,
          points.map(() => 0.5),
        ),
      );
      for (const [method, texts] of scores) write(inResults(method), texts.get(file) ?? "");
    }
    const steps = ["--optimize", "--score", "--normalize", "--skipConfirmation"];
    const places = [
      "--dataDir",
      dataDir,
      "--resultsDir",
      resultsDir,
      "--windowsFile",
      windowsFile,
      "-t",
      thresholdsFile,
    ];
    await run(
      process.env.NAB_PYTHON ?? "python3",
      ["run.py", ...steps, ...places, "-n", "1", "-d", "null", ...scores.keys()],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
    );
    const [final = ""] = readdirSync(resultsDir).filter((name) => name === "final_results.json");
    const results: Record<string, Record<string, number>> = JSON.parse(
      readFileSync(join(resultsDir, final), "utf8"),
    );
    return (method) => results[method]?.standard ?? Number.NaN;
  } finally {
    rmSync(work, { recursive: true });
  }
}
