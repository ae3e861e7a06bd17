import { writeFileSync } from "node:fs";
import type { Scan } from "./scan.ts";
import { isRight, type Judge } from "./score.ts";

/** A candidate as a line of JSON, for fitting weights. */
export type FeatureLine = {
  database: string;
  /** 0 for the clean copy. */
  seed: number;
  kind: string;
  table: string;
  columns: readonly string[];
  rows: number;
  outOf: number;
  features: Readonly<Record<string, number>>;
  confidence: number;
  isRight: boolean;
  verdict: string;
  statement: string;
};

export function writeFeatures(file: string, scans: readonly Scan[], judge: Judge): void {
  const lines = scans.flatMap(({ database, seed, candidates, verdicts }) =>
    candidates.map((candidate): FeatureLine => {
      const verdict = verdicts.get(candidate) ?? "stray";
      return {
        database,
        seed,
        kind: candidate.kind,
        table: candidate.table.tableName,
        columns: candidate.columns,
        rows: candidate.rows.length,
        outOf: candidate.outOf,
        features: candidate.features,
        confidence: judge(candidate),
        isRight: isRight(verdict),
        verdict,
        statement: candidate.statement,
      };
    }),
  );
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
