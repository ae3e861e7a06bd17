/** The outcome of a request. */
export type Answer =
  /** It was answered: the change has happened, or was rejected. */
  | { kind: "answered"; status: number; body: Record<string, unknown>; location: string }
  /** Unknown: the service was killed midway, or failed (5xx). */
  | { kind: "unknown" }
  /** The service was not there to receive it. */
  | { kind: "unsent" };

export type Client = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** A client of the REST API with a key. It never retries; that is up to the caller. */
export function clientOf(url: string, key: string, sends: () => void): Client {
  return async (method, path, json, headers = {}) => {
    try {
      const answering = fetch(`${url}/svc/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(90_000),
      });
      if (method !== "GET") sends();
      const response = await answering;
      const text = await response.text();
      if (response.status >= 500) return { kind: "unknown" };
      const location = response.headers.get("location") ?? "";
      return { kind: "answered", status: response.status, body: text ? JSON.parse(text) : {}, location };
    } catch (error) {
      return { kind: isRefused(error) ? "unsent" : "unknown" };
    }
  };
}

function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  const codes = cause?.errors?.map(({ code }) => code) ?? [cause?.code];
  return codes.length > 0 && codes.every((code) => code === "ECONNREFUSED");
}

export const isSuccess = (answer: Answer): answer is Extract<Answer, { kind: "answered" }> =>
  answer.kind === "answered" && answer.status < 300;
