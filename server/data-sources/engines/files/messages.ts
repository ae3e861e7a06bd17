import type { DatabaseSchema } from "../../database-schema.ts";
import type {
  Check,
  CheckLimits,
  Limits,
  PlanNode,
  ResultSet,
  SourceErrorKind,
  Statement,
} from "../engine.ts";

/** What the process reads. */
export type Place = {
  /** A real path. */
  folder: string;
  patterns: readonly string[];
  /** Only this file of the folder, as one table of that name. */
  only?: { file: string; tableName: string };
  /** Whether files are put there for each statement, so that it must look at the folder anew. */
  isFilled?: boolean;
  /** For the whole process. */
  memoryMb: number;
  /** Where DuckDB keeps what does not fit into memory: a folder for this process alone. */
  spillFolder: string;
};

/** What the process is asked, one at a time. It answers each with rows and an answer, or an error. */
export type Asked =
  | { say: "test" }
  | { say: "introspect" }
  | { say: "read"; statement: Statement; limits: Omit<Limits, "signal"> }
  | { say: "check"; statement: Statement; limits: CheckLimits }
  | { say: "explain"; statement: Statement };

export type ToProcess = { say: "open"; place: Place } | Asked | { say: "cancel" };

export type Answers = {
  test: { serverVersion: string; message: string };
  introspect: DatabaseSchema;
  read: Omit<ResultSet, "rows">;
  check: Check;
  explain: PlanNode;
};

export type FromProcess =
  /** The rows so far do not count: the statement is run again. */
  | { say: "again" }
  | { say: "rows"; rows: ResultSet["rows"] }
  | { say: "answer"; answer: Answers[keyof Answers] }
  /** `isLast`: the process ends. */
  | { say: "failed"; kind: SourceErrorKind; message: string; line?: number; isLast?: boolean };
