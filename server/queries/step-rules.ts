import type { Dialect } from "../data-sources/dialects/dialect.ts";
import { postgresql } from "../data-sources/dialects/postgresql.ts";
import { type FieldError, Problem, problemIn } from "../errors.ts";
import { bindParameters } from "./placeholders.ts";
import { bindRequest } from "./request-placeholders.ts";
import type { Step, StepWrite } from "./schema.ts";
import { parametersOf } from "./step-parameters.ts";
import { resultsReadBy } from "./step-results.ts";

/** The dialect of the store that joins earlier results: DuckDB quotes, comments, and binds like PostgreSQL. */
export const scratchDialect: Dialect = postgresql;

/**
 * Validates steps and returns them as stored, in order. `dialectOf` returns a data source's SQL dialect, or null if it
 * takes requests. Throws invalid with the path of each problem: a database step has SQL, a REST API step a request, and
 * a step without a data source reads the results of earlier steps.
 */
export function readSteps(
  written: readonly StepWrite[],
  dialectOf: (dataSourceId: number) => Dialect | null,
): Step[] {
  const errors = written.flatMap((step, index) =>
    [...orderFaults(step, index), ...faultsOf(step, index, dialectOf)].map(({ path, message }) => ({
      path: `steps.${index}.${path}`,
      message,
    })),
  );
  const [first] = errors;
  if (first) throw new Problem("invalid", `${first.path} ${first.message}`, { errors });
  return written.map(({ name, dataSourceId, sql, request }, index) => ({
    order: index + 1,
    name: name ?? `Step ${index + 1}`,
    dataSourceId: dataSourceId ?? null,
    ...(sql !== undefined && { sql }),
    ...(request !== undefined && { request }),
  }));
}

function faultsOf(
  step: StepWrite,
  index: number,
  dialectOf: (dataSourceId: number) => Dialect | null,
): FieldError[] {
  const isScratch = step.dataSourceId == null;
  const dialect = step.dataSourceId == null ? scratchDialect : dialectOf(step.dataSourceId);
  if (dialect === null) return requestFaults(step);
  if (step.request !== undefined)
    return [{ path: "request", message: "is only for steps on a REST API; this step takes SQL" }];
  if (step.sql === undefined) return [{ path: "sql", message: "is required" }];
  const results = resultsReadBy(step.sql, dialect);
  return [
    ...(isScratch ? resultFaults(results, index) : strayResultFaults(results)),
    ...placeholderFaults(step.sql, dialect),
  ];
}

const orderFaults = ({ order }: StepWrite, index: number): FieldError[] =>
  order === undefined || order === index + 1
    ? []
    : [{ path: "order", message: `must be ${index + 1}, the step's position` }];

function requestFaults({ sql, request }: StepWrite): FieldError[] {
  if (sql !== undefined) return [{ path: "sql", message: "is not allowed for a REST API: use request" }];
  if (request === undefined) return [{ path: "request", message: "is required for a REST API" }];
  const body =
    request.method === "GET" && request.body !== undefined
      ? [{ path: "request.body", message: "is only allowed with POST" }]
      : [];
  return [...body, ...faultsOfBinding(() => bindRequest(request, standIns({ request })))];
}

function resultFaults(results: readonly number[], index: number): FieldError[] {
  if (results.length === 0)
    return [
      {
        path: "sql",
        message: "must read the result of an earlier step, as @@result1: the step has no data source",
      },
    ];
  return results
    .filter((number) => number < 1 || number > index)
    .map((number) => ({
      path: "sql",
      message: `reads @@result${number}, which is not the result of an earlier step`,
    }));
}

const strayResultFaults = ([first]: readonly number[]): FieldError[] =>
  first === undefined
    ? []
    : [
        {
          path: "sql",
          message: `reads @@result${first}, which only a step without a data source can do`,
        },
      ];

const placeholderFaults = (sql: string, dialect: Dialect) =>
  faultsOfBinding(() => bindParameters(sql, standIns({ sql }), dialect));

/** A dummy value for each name, so that only problems in the text are found. */
const standIns = (texts: Parameters<typeof parametersOf>[0][number]) =>
  Object.fromEntries(parametersOf([texts]).map((name) => [name, "x"]));

function faultsOfBinding(bind: () => unknown): FieldError[] {
  try {
    bind();
    return [];
  } catch (error) {
    const faults = problemIn(error)?.more.errors;
    if (!faults) throw error;
    // Problems with a dummy value are reported for the text that uses it.
    return faults.filter(({ path }) => !path.startsWith("parameters."));
  }
}
