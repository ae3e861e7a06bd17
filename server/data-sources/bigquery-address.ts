import { type BigQueryConnection, bigQueryConnection } from "./connections/bigquery.ts";

/**
 * A project of BigQuery as an address: `bigquery://acme-dw/shop?location=EU`, where the dataset can be left out, with
 * `dataProject`, `maxGigabytes`, and `endpoint` as further parameters. It has no place for a key. null for other addresses
 * and for a malformed one.
 */
export function bigQueryAddress(text: string): BigQueryConnection | null {
  const address = text.trim();
  if (!/^bigquery:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { hostname, pathname, searchParams, username, password, port } = new URL(address);
  const dataset = pathname.replace(/^\/|\/$/g, "");
  const maxGigabytes = searchParams.get("maxGigabytes");
  const given = {
    billingProject: hostname,
    ...(dataset !== "" && { dataset }),
    ...(maxGigabytes !== null && { maxBytesBilled: Math.round(Number(maxGigabytes) * 1_000_000_000) }),
    ...Object.fromEntries(
      ["location", "dataProject", "endpoint"].flatMap((name) => {
        const value = searchParams.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
  };
  const parsed = bigQueryConnection.safeParse(given);
  return parsed.success && !username && !password && !port ? parsed.data : null;
}
