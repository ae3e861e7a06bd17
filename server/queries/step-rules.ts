import type { Dialect } from "../data-sources/engines/engine.ts";
import { type FieldError, Problem, problemIn } from "../errors.ts";
import { bindParameters } from "./placeholders.ts";
import { bindRequest } from "./request-placeholders.ts";
import type { Step, StepWrite } from "./schema.ts";
import { parametersOf } from "./step-parameters.ts";
import { resultsReadBy } from "./step-results.ts";

/** What the store speaks in which earlier results are joined: DuckDB quotes and comments as PostgreSQL does. */
export const scratchDialect: Dialect = "postgresql";

/**
 * Steps as they are stored, in their order. `dialectOf` says what SQL a data source speaks, and null where it takes
 * requests. Throws invalid, naming each value that is wrong by its path: a step on a database has SQL, one on a REST
 * API a request, and one without a data source reads the results of steps before it.
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
    return [{ path: "request", message: "is only for a step on a REST API; this one takes SQL" }];
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
    : [{ path: "order", message: `must be ${index + 1}, the step's place` }];

function requestFaults({ sql, request }: StepWrite): FieldError[] {
  if (sql !== undefined) return [{ path: "sql", message: "is not taken by a REST API: it takes a request" }];
  if (request === undefined) return [{ path: "request", message: "is required by a REST API" }];
  const body =
    request.method === "GET" && request.body !== undefined
      ? [{ path: "request.body", message: "is only for POST" }]
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
          message: `reads @@result${first}, which only a step without a data source can: the others do not know it`,
        },
      ];

const placeholderFaults = (sql: string, dialect: Dialect) =>
  faultsOfBinding(() => bindParameters(sql, standIns({ sql }), { dialect, placeholder: () => "" }));

/** A value for each name, so that all that can be found wrong is in the text. */
const standIns = (texts: Parameters<typeof parametersOf>[0][number]) =>
  Object.fromEntries(parametersOf([texts]).map((name) => [name, "x"]));

function faultsOfBinding(bind: () => unknown): FieldError[] {
  try {
    bind();
    return [];
  } catch (error) {
    const faults = problemIn(error)?.more.errors;
    if (!faults) throw error;
    // What is wrong with a stand-in is wrong with the text around it, and said of that.
    return faults.filter(({ path }) => !path.startsWith("parameters."));
  }
}
