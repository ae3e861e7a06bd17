import { clock, metrics } from "../telemetry/metrics.ts";
import { traced } from "../telemetry/tracing.ts";
import { isSourceError, type ResultSet, type Session, type Source } from "./engines/engine.ts";
import type { Kind } from "./kinds.ts";

/** Wraps a source to count, time, and trace its reads, without recording SQL or values. */
export function observed(engine: Kind, source: Source): Source {
  const { gate, request } = source;
  return {
    test: () => source.test(),
    introspect: (signal) => observe(engine, "introspection", () => source.introspect(signal)),
    session: (work) => source.session((session) => work(observedSession(engine, session))),
    ...(gate && { gate }),
    ...(request && {
      request: (asked, limits) => reading(engine, () => request.call(source, asked, limits)),
    }),
    close: () => source.close(),
  };
}

function observedSession(engine: Kind, session: Session): Session {
  const { check, explain } = session;
  return {
    read: (statement, limits) => reading(engine, () => session.read(statement, limits)),
    ...(check && { check: (statement, limits) => check.call(session, statement, limits) }),
    ...(explain && { explain: (statement, limits) => explain.call(session, statement, limits) }),
  };
}

function reading(engine: Kind, read: () => Promise<ResultSet>): Promise<ResultSet> {
  return observe(engine, "query", read, ({ rowCount }) => ({ "db.response.returned_rows": rowCount }));
}

function observe<T>(
  engine: Kind,
  what: string,
  work: () => Promise<T>,
  facts?: (result: T) => Record<string, number>,
): Promise<T> {
  const took = clock();
  return traced(
    `data source ${what}`,
    { "db.system.name": engine },
    async (span) => {
      let outcome: string = "answered";
      try {
        const result = await work();
        if (facts) span?.setAttributes(facts(result));
        return result;
      } catch (error) {
        outcome = isSourceError(error) ? error.kind : "error";
        throw error;
      } finally {
        metrics.sourceQueries.inc({ engine, outcome });
        metrics.sourceQuerySeconds.observe({ engine }, took());
      }
    },
    { kind: "CLIENT" },
  );
}
