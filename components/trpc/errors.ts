import { TRPCClientError } from "@trpc/client";

/** One thing that is wrong with one value, by its path in the input. */
export type FieldError = { path: string; message: string };

/** What there is to say about a failure. */
export type Facts = {
  /** tRPC's code, or null when the service did not answer. */
  code: string | null;
  /** For people: what happened, in a sentence. */
  message: string;
  requestId: string | undefined;
  errors: FieldError[];
  /** Whether it is worth making the same call again at once. */
  mayPass: boolean;
};

type ErrorData = { code?: string; httpStatus?: number; requestId?: string; errors?: FieldError[] };

/** Reads any failure of a call: the service's own message where it has one, else what a person can do. */
export function factsOf(error: unknown): Facts {
  const data = (error instanceof TRPCClientError ? error.data : null) as ErrorData | null;
  if (!data?.code) {
    return {
      code: null,
      message:
        error instanceof TRPCClientError
          ? "The service did not answer. Check the connection, then try again."
          : "Something went wrong on this page.",
      requestId: undefined,
      errors: [],
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
            ? "Some values cannot be used."
            : message,
    requestId: data.requestId,
    errors,
    // A data source that did not answer was given its time already.
    mayPass:
      (data.httpStatus ?? 500) >= 500 && data.code !== "BAD_GATEWAY" && data.code !== "GATEWAY_TIMEOUT",
  };
}

/** The failure as one text, with the request's id where that is all there is to go by. */
export function messageOf(error: unknown): string {
  const { code, message, requestId, errors } = factsOf(error);
  if (code === "INTERNAL_SERVER_ERROR" && requestId) return `${message} (request ${requestId})`;
  if (errors.length > 0)
    return `${message} ${errors.map((each) => `${each.path}: ${each.message}`).join("; ")}`;
  return message;
}
