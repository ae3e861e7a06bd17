import { TRPCClientError } from "@trpc/client";
import { NotLoaded } from "@/components/ui/not-loaded.ts";
import type { Edit } from "@/server/edits/schema.ts";

/** A problem with one value, by its path in the input. */
export type FieldError = { path: string; message: string };

/** A place in SQL, from 1, with the step if several ran. */
export type SqlPosition = { line: number; column: number | null; step?: number };

/** Details of a failure. */
export type Facts = {
  /** tRPC's code, or null if the service did not respond. */
  code: string | null;
  /** The message to show: what happened, in a sentence. */
  message: string;
  requestId: string | undefined;
  errors: FieldError[];
  /** Where in the SQL, if the database told. */
  position: SqlPosition | undefined;
  /** Of a save that was refused because of newer ones: who changed what since. */
  edits: readonly Edit[];
  /** Whether retrying the same call at once may help. */
  mayPass: boolean;
};

type ErrorData = {
  code?: string;
  httpStatus?: number;
  requestId?: string;
  errors?: FieldError[];
  position?: SqlPosition;
  secondFactor?: "missing";
  edits?: Edit[];
};

/** Details of any failed call: the server's message if it has one, otherwise what to do. */
export function factsOf(error: unknown): Facts {
  const data = (error instanceof TRPCClientError ? error.data : null) as ErrorData | null;
  if (!data?.code) {
    return {
      code: null,
      message:
        error instanceof TRPCClientError
          ? "The service did not answer. Check the connection, then try again."
          : error instanceof NotLoaded
            ? error.message
            : "Something went wrong on this page.",
      requestId: undefined,
      errors: [],
      position: undefined,
      edits: [],
      mayPass: error instanceof TRPCClientError,
    };
  }
  const errors = data.errors ?? [];
  const message = (error as Error).message;
  return {
    code: data.code,
    message:
      data.code === "INTERNAL_SERVER_ERROR"
        ? "Something went wrong in the service. Try again in a moment."
        : data.code === "UNAUTHORIZED"
          ? "You are signed out. Sign in, then try again."
          : errors.length > 0 && data.code === "BAD_REQUEST"
            ? "Some values are not valid."
            : message,
    requestId: data.requestId,
    errors,
    edits: data.edits ?? [],
    position: data.position,
    // A data source that timed out has already been given enough time.
    mayPass:
      (data.httpStatus ?? 500) >= 500 && data.code !== "BAD_GATEWAY" && data.code !== "GATEWAY_TIMEOUT",
  };
}

/** The failure as one text, with the request ID if there is nothing else to go by. */
export function messageOf(error: unknown): string {
  const { code, message, requestId, errors } = factsOf(error);
  if (code === "INTERNAL_SERVER_ERROR" && requestId) return `${message} (request ${requestId})`;
  if (errors.length > 0)
    return `${message} ${errors.map((each) => `${each.path}: ${each.message}`).join("; ")}`;
  return message;
}

/** Whether a call was rejected because the user has to set up a second factor first. */
export function lacksSecondFactor(error: unknown): boolean {
  return error instanceof TRPCClientError && (error.data as ErrorData | null)?.secondFactor === "missing";
}
