import type { BigQueryConnection } from "@/server/data-sources/connections/bigquery.ts";

/** The connection of a data source of kind BigQuery as its form has it: all fields are texts. */
export type BigQueryFields = {
  billingProject: string;
  dataProject: string;
  dataset: string;
  location: string;
  maxGigabytes: string;
  endpoint: string;
  serviceAccountKey: string;
};

const gigabyte = 1_000_000_000;

export const emptyFields: BigQueryFields = {
  ...{ billingProject: "", dataProject: "", dataset: "", location: "" },
  ...{ maxGigabytes: "10", endpoint: "", serviceAccountKey: "" },
};

/** A key that is kept elsewhere is shown as where it is kept. */
export const fieldsOf = (
  {
    billingProject,
    dataProject = "",
    dataset = "",
    location = "",
    maxBytesBilled,
    endpoint = "",
  }: BigQueryConnection,
  secretReferences: readonly string[],
): BigQueryFields => ({
  ...{ billingProject, dataProject, dataset, location, endpoint },
  maxGigabytes: String(maxBytesBilled / gigabyte),
  serviceAccountKey: secretReferences[0] ?? "",
});

/** The API input. A key that was not typed is omitted, to keep the stored one, and so is where it is kept already. */
export function connectionOf(fields: BigQueryFields, unchangedKey: string | undefined) {
  const { billingProject, maxGigabytes, serviceAccountKey } = fields;
  const [dataProject, dataset, location, endpoint] = [
    fields.dataProject,
    fields.dataset,
    fields.location,
    fields.endpoint,
  ].map((field) => field.trim() || undefined);
  return {
    billingProject,
    maxBytesBilled: Math.round(Number(maxGigabytes) * gigabyte),
    ...(dataProject !== undefined && { dataProject }),
    ...(dataset !== undefined && { dataset }),
    ...(location !== undefined && { location }),
    ...(endpoint !== undefined && { endpoint }),
    ...(serviceAccountKey.trim() !== "" &&
      serviceAccountKey.trim() !== unchangedKey && { serviceAccountKey }),
  };
}

/** From 100 MB, as reading the catalog bills a part of that, to a petabyte. */
export const isAmount = (text: string): boolean => Number(text) >= 0.1 && Number(text) <= 1_000_000;

/** The project that a key file belongs to, which is likely to pay for its queries; null for any other text. */
export function projectOfKey(text: string): string | null {
  try {
    const { project_id: project } = JSON.parse(text) as { project_id?: unknown };
    return typeof project === "string" ? project : null;
  } catch {
    return null;
  }
}
