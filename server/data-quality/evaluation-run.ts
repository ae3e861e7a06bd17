import { createHmac } from "node:crypto";
import type { RuleType } from "./rules/rules.ts";
import type { Severity } from "./severities.ts";

/** An evaluation as run events of OpenLineage, with its results as the data quality assertions facet 1-1-0. Pure. */

const schemas = {
  run: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
  assertions:
    "https://openlineage.io/spec/facets/1-1-0/DataQualityAssertionsDatasetFacet.json#/$defs/DataQualityAssertionsDatasetFacet",
  documentation:
    "https://openlineage.io/spec/facets/1-1-0/DocumentationJobFacet.json#/$defs/DocumentationJobFacet",
  jobType: "https://openlineage.io/spec/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
};

export type EvaluationRun = {
  id: number;
  contractId: number;
  contractName: string;
  namespace: string;
  dataset: { namespace: string; name: string };
  startedAt: Date;
  evaluatedAt: Date;
  /** null if the data source could be reached. */
  notEvaluatedBecause: string | null;
  results: readonly {
    name: string;
    type: RuleType;
    column: string | null;
    severity: Severity;
    weight: number;
    passed: boolean;
    score: number;
    expectedValue: string | null;
    actualValue: string | null;
    message: string | null;
  }[];
};

/** The usual names of tests; others are ours in their spelling. */
const assertions: Partial<Record<RuleType, string>> = {
  NullRate: "not_null",
  Uniqueness: "unique",
  Volume: "row_count",
};

const assertionOf = (type: RuleType) =>
  assertions[type] ?? type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

/**
 * The beginning and the end of a run. `producer` is the address of this installation, and `key` makes ids that no other
 * has.
 */
export function runEvents(evaluation: EvaluationRun, { producer, key }: { producer: string; key: Buffer }) {
  const { id, contractId, contractName, namespace, dataset, notEvaluatedBecause } = evaluation;
  const about = {
    producer,
    schemaURL: schemas.run,
    run: { runId: runIdOf(id, key) },
    job: {
      namespace,
      name: `contract.${contractId}`,
      facets: {
        jobType: {
          ...{ _producer: producer, _schemaURL: schemas.jobType },
          ...{ processingType: "BATCH", integration: "PLUMBLINE", jobType: "DATA_CONTRACT" },
        },
        documentation: {
          ...{ _producer: producer, _schemaURL: schemas.documentation },
          description: contractName,
        },
      },
    },
    outputs: [],
  };
  const facet = {
    ...{ _producer: producer, _schemaURL: schemas.assertions },
    assertions: evaluation.results.map(assertionFacet),
  };
  return [
    { eventType: "START", eventTime: evaluation.startedAt.toISOString(), ...about, inputs: [dataset] },
    {
      // What could not be measured says nothing about the data.
      eventType: notEvaluatedBecause === null ? "COMPLETE" : "FAIL",
      eventTime: evaluation.evaluatedAt.toISOString(),
      ...about,
      inputs: [
        notEvaluatedBecause === null
          ? { ...dataset, inputFacets: { dataQualityAssertions: facet } }
          : dataset,
      ],
    },
  ];
}

function assertionFacet(result: EvaluationRun["results"][number]) {
  const { name, type, column, severity, weight, passed, score, expectedValue, actualValue, message } = result;
  return {
    assertion: assertionOf(type),
    success: passed,
    ...(column !== null && { column }),
    severity: severity === "High" || severity === "Critical" ? "error" : "warn",
    name,
    ...(message !== null && { description: message }),
    ...(expectedValue !== null && { expected: expectedValue }),
    ...(actualValue !== null && { actual: actualValue }),
    params: { ruleType: type, severity, weight, score },
  };
}

/** A UUID of version 8, the same for every attempt to send the same evaluation. */
function runIdOf(id: number, key: Buffer): string {
  const hex = createHmac("sha256", key).update(String(id)).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
