import { setTimeout as pause } from "node:timers/promises";
import { bodyOf, exchangeOutbound, OutboundRefusal } from "../../../outbound/request.ts";
import type { BigQueryConnection } from "../../connections/bigquery.ts";
import { type BigQueryConnectionWithKey, isSourceError, SourceError } from "../engine.ts";
import { outboundFailure } from "../outbound-failure.ts";
import { AccessTokens } from "./access-token.ts";
import { type ApiError, apiErrorIn, failureOf, isPassing } from "./failures.ts";
import { hostsOf } from "./hosts.ts";
import { serviceAccountIn } from "./service-account.ts";

/**
 * BigQuery's REST API, called directly. Google's own client (`@google-cloud/bigquery`, 47 packages, 14 MB) opens
 * connections by itself, to hosts that a key file or the environment can name, follows redirects with its token, and reads
 * whole answers into memory: neither the policy for outbound requests nor a limit on bytes could hold there. Six methods of
 * the API are needed, and its token is one signed request.
 */

/** How long the server may send nothing; it waits for a query for less. */
const idleMs = 60_000;
/** Pauses before a request is made again that the server could not answer at the moment. */
const pausesMs = [250, 1_000, 3_000, 8_000];

export type ApiRequest = {
  method: "GET" | "POST";
  /** Below `/bigquery/v2/projects/`, with its parts encoded. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  signal: AbortSignal;
  maxBytes: number;
};

/** An answer is larger than what may be read. */
export class TooLarge extends Error {}

/** An error of the API that its caller may know how to handle. */
export class Failed extends Error {
  readonly error: ApiError;
  readonly failure: SourceError;

  constructor(error: ApiError, failure: SourceError) {
    super(failure.message);
    this.error = error;
    this.failure = failure;
  }
}

export type Api = {
  /** Throws Failed, TooLarge, SourceError, or the signal's reason. */
  call(request: ApiRequest): Promise<unknown>;
};

export function apiOf({ serviceAccountKey, ...connection }: BigQueryConnectionWithKey): Api {
  const { api, token } = hostsOf(connection);
  const account = serviceAccountIn(serviceAccountKey);
  if (account === null && connection.endpoint === undefined)
    throw new SourceError("unreachable", "A service account key is required");
  const tokens = account && new AccessTokens(account, token);

  const attempt = async ({ method, path, query = {}, body, signal, maxBytes }: ApiRequest) => {
    const url = new URL(`${api}/bigquery/v2/projects/${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    const held = await tokens?.get();
    signal.throwIfAborted();
    const answer = await exchangeOutbound(
      {
        ...{ method, url, signal, idleMs },
        headers: {
          ...{ accept: "application/json", "accept-encoding": "identity", "user-agent": "plumbline" },
          ...(held !== undefined && { authorization: `Bearer ${held}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      async (response) => ({ status: response.statusCode ?? 0, body: await bodyOf(response, maxBytes) }),
    );
    const parsed = jsonIn(answer.body);
    if (answer.status >= 200 && answer.status < 300 && parsed !== undefined) return parsed;
    const error = apiErrorIn(answer.status, parsed);
    throw new Failed(error, failureOf(error, connection));
  };

  return {
    async call(request) {
      let isNewToken = false;
      for (let tries = 0; ; )
        try {
          return await attempt(request);
        } catch (error) {
          request.signal.throwIfAborted();
          if (error instanceof Failed && error.error.status === 401 && tokens && !isNewToken) {
            tokens.forget();
            isNewToken = true;
            continue;
          }
          const known = knownFailure(error);
          const pauseMs = mayPass(known) ? pausesMs[tries++] : undefined;
          if (pauseMs === undefined) throw known;
          await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: request.signal }).catch(() =>
            request.signal.throwIfAborted(),
          );
        }
    },
  };
}

function knownFailure(error: unknown): Error {
  if (error instanceof Failed || isSourceError(error)) return error;
  if (error instanceof OutboundRefusal && error.reason === "size") return new TooLarge();
  return outboundFailure(error);
}

/** A connection that broke off may be there again in a moment; every request here may be made twice. */
const mayPass = (error: Error) =>
  error instanceof Failed
    ? isPassing(error.error)
    : isSourceError(error) && /^The connection (was lost|broke off)/.test(error.message);

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** A part of a path. */
export const part = (text: string) => encodeURIComponent(text);

export const jobsPath = (
  { billingProject }: Pick<BigQueryConnection, "billingProject">,
  ...parts: string[]
) => [part(billingProject), ...parts.map(part)].join("/");
