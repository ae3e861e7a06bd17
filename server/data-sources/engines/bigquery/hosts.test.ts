import { expect, test } from "vitest";
import { hostsOf } from "./hosts.ts";

const google = "https://oauth2.googleapis.com/token";

test.each([
  [undefined, "https://bigquery.googleapis.com", google],
  [
    "https://bigquery.europe-west3.rep.googleapis.com",
    "https://bigquery.europe-west3.rep.googleapis.com",
    google,
  ],
  ["https://bigquery-acme.p.googleapis.com/", "https://bigquery-acme.p.googleapis.com", google],
  // Not Google's, however much it looks like it: what Google would accept is never made for it.
  [
    "https://bigquery.googleapis.com.evil.example",
    null,
    "https://bigquery.googleapis.com.evil.example/token",
  ],
  [
    "https://evil.example/bigquery.googleapis.com",
    null,
    "https://evil.example/bigquery.googleapis.com/token",
  ],
  ["https://evilbigquery.googleapis.com", null, "https://evilbigquery.googleapis.com/token"],
  ["http://bigquery.googleapis.com", null, "http://bigquery.googleapis.com/token"],
  ["https://bigquery.googleapis.com:8443", null, "https://bigquery.googleapis.com:8443/token"],
  ["http://127.0.0.1:9050/", "http://127.0.0.1:9050", "http://127.0.0.1:9050/token"],
])(
  "with the endpoint %s, requests go there, and tokens come from whom it belongs to",
  (endpoint, api, token) => {
    expect(hostsOf({ endpoint })).toEqual({ api: api ?? endpoint, token });
  },
);
