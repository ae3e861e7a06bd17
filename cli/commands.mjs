import { setTimeout as sleep } from "node:timers/promises";
import { isId, readArguments, usage } from "./arguments.mjs";
import { call, ServiceError } from "./client.mjs";
import { applyFile, diffFile } from "./contract-files.mjs";
import { read, write } from "./files.mjs";
import { junitOf } from "./junit.mjs";
import { contractsMarkdown } from "./markdown.mjs";
import { plain, reportOf } from "./report.mjs";
import { sarifOfContracts } from "./sarif.mjs";

/**
 * @typedef {import("./report.mjs").Outcome} Outcome
 * @typedef {import("./arguments.mjs").Command} Command
 * @typedef {{ url: string, key: string, deadline: number }} Service
 * @typedef {{ path: string, reason: string }} Unmapped
 */

/**
 * Runs the command. Returns false if a contract scored too low or the service is not as files say, a scan found what it must
 * not, or an incident is too severe. Throws errors meant
 * for the caller.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} environment
 * @param {string} version
 * @returns {Promise<boolean>}
 */
export async function run(args, environment, version) {
  const command = readArguments(args, environment);
  if (command.kind === "help" || command.kind === "version") {
    process.stdout.write(command.kind === "help" ? usage : `${version}\n`);
    return true;
  }
  if (command.kind === "scan") return (await import("./scan.mjs")).scan(command, version);
  if (command.kind === "incidents") return (await import("./incidents.mjs")).listIncidents(command);
  if (command.kind === "import-suite") {
    await (await import("./import-suite.mjs")).importSuite(command);
    return true;
  }
  if (command.kind === "teach") {
    await (await import("./teach.mjs")).teach(command);
    return true;
  }
  if (command.kind === "comment") {
    await (await import("./comment.mjs")).comment(command, environment);
    return true;
  }
  if (command.kind === "evaluate-file") return evaluateFile(command, version);
  if (command.kind === "as-code") return (await import("./as-code/as-code.mjs")).asCode(command, environment);
  const asked = /** @type {Command} */ (command);
  const service = { url: asked.url, key: asked.key, deadline: Date.now() + asked.timeoutMs };
  if (asked.kind === "evaluate") return evaluate(service, asked, version);
  if (asked.kind === "diff") return diffFile(service, asked);
  const work = { export: exportContract, import: importFile, apply: applyFile };
  await work[asked.kind](service, asked);
  return true;
}

/**
 * @param {Service} service
 * @param {Command} command
 * @param {string} version
 */
async function evaluate(service, command, version) {
  const { target, dataSourceId } = command;
  const { outcomes, unmapped } = isId(target)
    ? { outcomes: [await evaluateStored(service, target, command.failUnder)], unmapped: [] }
    : await tryFile(service, target, dataSourceId, command.failUnder);
  show(outcomes, unmapped, command, { version, file: isId(target) ? undefined : target });
  return outcomes.every(({ passed }) => passed);
}

/**
 * Evaluates a contract on a data file, without a service.
 * @param {import("./arguments.mjs").EvaluateFileCommand} command
 * @param {string} version
 */
async function evaluateFile(command, version) {
  const { contract, unmapped, ...result } = await (await import("./evaluate-file.mjs")).evaluateFile(command);
  const { ruleResults } = result;
  const outcome = { ...outcomeOf(contract, result, command.failUnder, {}), ruleResults };
  show([outcome], unmapped, command, { version, file: command.contract });
  return outcome.passed;
}

/**
 * @param {Outcome[]} outcomes
 * @param {Unmapped[]} unmapped
 * @param {{ junit?: string, sarif?: string, summary?: string, json: boolean }} command
 * @param {{ version: string, file: string | undefined }} about the file with the contract, if there is one
 */
function show(outcomes, unmapped, { junit, sarif, summary, json }, { version, file }) {
  if (junit !== undefined) write(junit, junitOf(outcomes));
  if (sarif !== undefined) write(sarif, sarifOfContracts(outcomes, version, file));
  if (summary !== undefined) write(summary, contractsMarkdown(outcomes));
  warnUnmapped(unmapped);
  process.stdout.write(
    json ? `${JSON.stringify({ contracts: outcomes, unmapped }, null, 2)}\n` : reportOf(outcomes),
  );
}

/**
 * Evaluates a contract of the service. Polls for the result instead of waiting on one connection, which a proxy might
 * close.
 * @param {Service} service
 * @param {string} id
 * @param {number | undefined} failUnder
 * @returns {Promise<Outcome>}
 */
async function evaluateStored(service, id, failUnder) {
  const contract = /** @type {any} */ (await call(service, "GET", `/data-quality/contracts/${id}`));
  const headers = { prefer: "respond-async" };
  let evaluation = /** @type {any} */ (
    await call(service, "POST", `/data-quality/contracts/${id}/evaluate`, { headers })
  );
  for (let waitMs = 100; evaluation.status === "Running"; waitMs = Math.min(2000, waitMs * 1.5)) {
    if (Date.now() + waitMs > service.deadline) throw new ServiceError("The evaluation did not end in time");
    await sleep(waitMs);
    evaluation = await call(service, "GET", `/data-quality/evaluations/${evaluation.id}`);
  }
  return outcomeOf(contract, evaluation, failUnder, { contractId: contract.id, evaluationId: evaluation.id });
}

/**
 * Runs the contracts of a file on a data source without storing anything.
 * @param {Service} service
 * @param {string} file
 * @param {number | undefined} dataSourceId
 * @param {number | undefined} failUnder
 */
async function tryFile(service, file, dataSourceId, failUnder) {
  const path = `/data-quality/contracts/import/preview?dataSourceId=${dataSourceId}`;
  const { contracts, unmapped } = /** @type {{ contracts: any[], unmapped: Unmapped[] }} */ (
    await call(service, "POST", path, { yaml: read(file) })
  );
  if (contracts.length === 0) {
    warnUnmapped(unmapped);
    throw new ServiceError(`${file} has no table with rules that can be measured`);
  }
  const outcomes = [];
  for (const contract of contracts) {
    const result = await call(service, "POST", "/data-quality/contracts/dry-run", { json: contract });
    outcomes.push(outcomeOf(contract, /** @type {any} */ (result), failUnder, {}));
  }
  return { outcomes, unmapped };
}

/**
 * @param {any} contract
 * @param {any} result
 * @param {number | undefined} failUnder
 * @param {{ contractId?: number, evaluationId?: number }} ids
 * @returns {Outcome}
 */
function outcomeOf(contract, result, failUnder, ids) {
  const { name, schemaName, tableName } = contract;
  const { overallScore, passedCount, failedCount, executionTimeMs } = result;
  const minScore = failUnder ?? contract.failureThreshold ?? 80;
  return {
    ...ids,
    name,
    table: [schemaName, tableName].filter(Boolean).join("."),
    overallScore,
    failUnder: minScore,
    passed: overallScore >= minScore,
    passedCount,
    failedCount,
    executionTimeMs,
    evaluatedAt: result.evaluatedAt ?? new Date().toISOString(),
    ruleResults: result.ruleResults.map(/** @param {any} rule */ ({ samples: _, ...rule }) => rule),
  };
}

/**
 * @param {Service} service
 * @param {Command} command
 */
async function exportContract(service, { target, output }) {
  const yaml = String(await call(service, "GET", `/data-quality/contracts/${target}/odcs`));
  if (output === undefined) process.stdout.write(yaml);
  else write(output, yaml);
}

/**
 * @param {Service} service
 * @param {Command} command
 */
async function importFile(service, { target, dataSourceId, json }) {
  const path = `/data-quality/contracts/import?dataSourceId=${dataSourceId}`;
  const answer = /** @type {{ contracts: any[], unmapped: Unmapped[] }} */ (
    await call(service, "POST", path, { yaml: read(target) })
  );
  warnUnmapped(answer.unmapped);
  const lines = answer.contracts.map(({ id, name }) => `${id} ${plain(name)}\n`);
  process.stdout.write(json ? `${JSON.stringify(answer, null, 2)}\n` : lines.join(""));
}

/**
 * Warnings about unused parts of a file go to stderr, where a pipeline's log shows them but programs do not parse them.
 */
function warnUnmapped(/** @type {Unmapped[]} */ unmapped) {
  for (const { path, reason } of unmapped)
    process.stderr.write(`not used: ${plain(path)}: ${plain(reason)}\n`);
}
