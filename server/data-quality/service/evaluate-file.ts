import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { performance } from "node:perf_hooks";
import { type Source, SourceError } from "../../data-sources/engines/engine.ts";
import { formatOf, stemOf } from "../../data-sources/engines/files/formats.ts";
import { files, openFolder } from "../../data-sources/engines/files.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import type { MeasurableRule, Target } from "../compile.ts";
import { limits } from "../limits.ts";
import { executionFailed } from "../measure-rule.ts";
import { contractsOf } from "../odcs/contracts-of.ts";
import { odcsDocument } from "../odcs/document.ts";
import { readYaml } from "../odcs/read-yaml.ts";
import { foundSample, readSample, sampleOptions } from "../read-sample.ts";
import { hasSample, readsSample } from "../rules/has-sample.ts";
import { ruleDefinition } from "../rules/rules.ts";
import { judgedByUsual } from "../rules/usual.ts";
import { type ContractInput, createContractInput } from "../schema.ts";
import { overallScore } from "../score.ts";
import { shownVerdict } from "../shown-verdict.ts";
import { type MeasuredRule, MeasurementQueue } from "./measurement-queue.ts";
import { learningOf } from "./usual-history.ts";

export type FileEvaluation = Awaited<ReturnType<typeof evaluateFile>>;

type Contract = ReturnType<typeof createContractInput.parse>;
type Rule = Contract["rules"][number];

const { dialect } = files;
/** There is no data source: the file takes its place. */
const dataSourceId = 1;
const memoryMb = 1024;

/**
 * Evaluates the rules that a contract file has for a table on a data file, without a service, and stores nothing. The
 * file is the contract's table, whatever its name, unless the contract file describes several: then the one with the
 * file's name. Throws SourceError with the reason if that is not possible.
 */
export async function evaluateFile({ file, yaml, isFull }: { file: string; yaml: string; isFull: boolean }) {
  const { contracts, unmapped } = await contractsIn(yaml);
  const contract = chosen(contracts, file);
  const place = await placeOf(file, contract.tableName);
  const source = openFolder(async () => place);
  const startedAt = performance.now();
  try {
    const mode = isFull ? "Full" : "Masked";
    const enabled = contract.rules.filter(({ enabled }) => enabled);
    const results = await measured(
      source,
      { schemaName: "main", tableName: contract.tableName },
      enabled,
      mode,
    );
    const passedCount = results.filter(({ shown }) => shown.passed).length;
    return {
      unmapped,
      contract: {
        name: contract.name,
        tableName: contract.tableName,
        failureThreshold: contract.failureThreshold,
      },
      overallScore: overallScore(results.map(({ rule, verdict }) => ({ ...rule, score: verdict.score }))),
      ...{ passedCount, failedCount: results.length - passedCount },
      executionTimeMs: Math.round(performance.now() - startedAt),
      ruleResults: results.map(({ shown }) => shown),
    };
  } finally {
    await source.close();
  }
}

async function contractsIn(yaml: string) {
  const parsed = odcsDocument.safeParse(await readYaml(yaml));
  if (!parsed.success) {
    const { path = [], message } = parsed.error.issues[0] ?? {};
    throw cannot(`The contract is not of the Open Data Contract Standard: ${[...path, message].join(" ")}`);
  }
  const { contracts, unmapped, errors } = contractsOf(parsed.data, {
    ...{ dataSourceId, dialect, defaultSchema: "main", recipients: [], dataSources: [] },
  });
  const [first] = errors;
  if (first) throw cannot(`The contract has a value that it cannot have: ${first.path} ${first.message}`);
  return { contracts, unmapped };
}

function chosen(contracts: readonly ContractInput[], file: string): Contract {
  const name = dialect.foldName(stemOf(basename(file)));
  const named = contracts.filter(({ tableName }) => dialect.foldName(tableName) === name);
  const [found, another] = contracts.length === 1 ? contracts : named;
  if (contracts.length === 0) throw cannot("The contract has no table with rules that can be measured");
  if (!found || another) {
    const names = contracts.map(({ tableName }) => tableName).join(", ");
    throw cannot(`The contract describes several tables (${names}): the file must have the name of one`);
  }
  return createContractInput.parse(found);
}

async function placeOf(file: string, tableName: string) {
  if (formatOf(file) === null)
    throw cannot(
      "The file must be CSV, TSV, Parquet, or JSON, and its name must end with .csv, .tsv, .parquet, or .jsonl",
    );
  const real = await realpath(file).catch((error) => {
    throw cannot(`It cannot be read (${error.code})`);
  });
  return { folder: dirname(real), patterns: [], only: { file: basename(real), tableName }, memoryMb };
}

/** Comparing needs a table that is elsewhere. */
const isMeasurable = ({ type }: Rule) => !("compares" in ruleDefinition(type));

async function measured(
  source: Source,
  target: Target,
  all: readonly Rule[],
  mode: Exclude<SampleMode, "Off">,
) {
  const columnTypes = await typesOf(source, target);
  const rules = all.filter(isMeasurable);
  const queue = new MeasurementQueue(rules, { ...target, columnTypes }, { report: async () => {} }, true);
  queue.plan(dialect);
  while (!queue.isDone)
    await source
      .session(async (session) => {
        if (await queue.check(session)) return;
        for (let scan = queue.take(); scan; scan = queue.take()) if (await queue.read(session, scan)) return;
      })
      .catch((error) => queue.failWhatIsLeft(error));
  const results: (Pick<MeasuredRule<Rule>, "rule" | "verdict"> & {
    shown: ReturnType<typeof shownVerdict> & RuleFacts;
  })[] = [];
  const compared = all
    .filter((rule) => !isMeasurable(rule))
    .map((rule) => ({ rule, verdict: executionFailed(elsewhere), executionTimeMs: 0 }));
  for (const { verdict: plain, ...each } of [...queue.results(), ...compared]) {
    // What was usual before is not known here, so a rule that learns is judged as if it had just begun.
    const learning = learningOf(each.rule, "UTC");
    const verdict = learning ? judgedByUsual(plain, [], learning, new Date()) : plain;
    const samples = await samplesOf(source, target, { ...each, verdict }, mode);
    const { name, type, severity, weight } = each.rule;
    const facts = {
      ruleName: name,
      ruleType: type,
      severity,
      weight,
      executionTimeMs: each.executionTimeMs,
      samples,
    };
    results.push({ ...each, verdict, shown: { ...facts, ...shownVerdict(verdict, mode) } });
  }
  return results;
}

type RuleFacts = {
  ruleName: string;
  ruleType: Rule["type"];
  severity: Rule["severity"];
  weight: number;
  executionTimeMs: number;
  samples: ReturnType<typeof trimSample> | null;
};

/** Also finds out whether the file can be read at all. */
async function typesOf(source: Source, { tableName }: Target): Promise<ReadonlyMap<string, string>> {
  const [table] = (await source.introspect()).items.flatMap(({ tables }) => tables);
  if (!table) throw cannot(`There is no data in ${tableName}`);
  if (table.columns.length === 0)
    throw cannot(table.comment?.replace(/^Cannot be read: /, "") ?? "It has no columns");
  return new Map(table.columns.map(({ name, type }) => [name, type]));
}

async function samplesOf(
  source: Source,
  target: Target,
  { rule, verdict }: Pick<MeasuredRule<Rule>, "rule" | "verdict">,
  mode: Exclude<SampleMode, "Off">,
) {
  if (verdict.sample) return trimSample(verdict.sample, foundSample(mode));
  const asked: MeasurableRule & { column: string | null } = { ...rule, column: rule.column ?? null };
  if (!hasSample(rule, verdict) || !readsSample(rule)) return null;
  const found = await readSample(
    { dialect, target, rule: asked, keyColumns: [], timeoutMs: limits.sampleTimeoutMs },
    (read) => source.session(read),
  ).catch((error) => {
    // The verdict does not depend on them.
    if (error instanceof SourceError) return null;
    throw error;
  });
  if (!found || found === "no session") return null;
  const sample = trimSample(found, sampleOptions(rule.type, { keyColumns: [], column: asked.column, mode }));
  return sample.rows.length === 0 ? null : sample;
}

const elsewhere = new SourceError(
  "refused",
  "it compares the file with a table elsewhere, which needs the service",
);

const cannot = (message: string) => new SourceError("unreachable", message);
