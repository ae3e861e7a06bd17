import type { BigQueryConnection } from "../../connections/bigquery.ts";

/** Google's own hosts. What a service account's key file says about addresses is not read. */
const apiOrigin = "https://bigquery.googleapis.com";
const tokenAddress = "https://oauth2.googleapis.com/token";

/** A regional or private endpoint: `bigquery.europe-west3.rep.googleapis.com`, `bigquery-acme.p.googleapis.com`. */
const ownedByGoogle = /^bigquery([a-z0-9.-]*)\.googleapis\.com$/;

export type Hosts = {
  /** Of the API, without a slash at its end. */
  api: string;
  /** Where a signed assertion is exchanged for a token, and whom the assertion is for. */
  token: string;
};

/**
 * Where requests go. An endpoint that is not Google's has a token endpoint of its own: neither a token nor an assertion
 * that Google would accept is ever sent to it.
 */
export function hostsOf({ endpoint }: Pick<BigQueryConnection, "endpoint">): Hosts {
  if (endpoint === undefined) return { api: apiOrigin, token: tokenAddress };
  const url = new URL(endpoint);
  const api = endpoint.replace(/\/+$/, "");
  const isGoogle = url.protocol === "https:" && url.port === "" && ownedByGoogle.test(url.hostname);
  return { api, token: isGoogle ? tokenAddress : `${api}/token` };
}
