import type { FilesConnection } from "@/server/data-sources/connections/files.ts";
import { isFolder, isHttps, isS3 } from "@/server/data-sources/kinds.ts";
import { hasOtherServer, isOtherAuthority, isOtherKey } from "@/server/data-sources/password-rule.ts";
import { headersIn } from "./header-lines.ts";

/** The connection of a data source of kind Files as its form has it: all fields are texts. */

export const places = [
  { value: "folder", label: "A folder on the server" },
  { value: "s3", label: "S3-compatible storage" },
  { value: "https", label: "HTTPS addresses" },
] as const;
export type FilesPlace = (typeof places)[number]["value"];

export type FilesFields = {
  folder: string;
  bucket: string;
  prefix: string;
  region: string;
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  addresses: string;
  secretHeaders: string;
  caCertificate: string;
  patterns: string;
};

export const emptyFields: FilesFields = {
  ...{ folder: "", bucket: "", prefix: "", region: "us-east-1", endpoint: "", accessKeyId: "" },
  ...{
    secretAccessKey: "",
    sessionToken: "",
    addresses: "",
    secretHeaders: "",
    caCertificate: "",
    patterns: "",
  },
};

export function filesPlaceOf(connection: FilesConnection): FilesPlace {
  if (isFolder(connection)) return "folder";
  return isS3(connection) ? "s3" : "https";
}

/** A secret that is kept elsewhere is shown as where it is kept. */
export function fieldsOf(connection: FilesConnection, secretReferences: readonly string[]): FilesFields {
  const patterns = connection.patterns.join("\n");
  if (isFolder(connection)) return { ...emptyFields, folder: connection.folder, patterns };
  const caCertificate = connection.caCertificate ?? "";
  if (isHttps(connection))
    return { ...emptyFields, addresses: connection.addresses.join("\n"), caCertificate, patterns };
  const { bucket, prefix, region, endpoint = "", accessKeyId = "" } = connection;
  return {
    ...{ ...emptyFields, bucket, prefix, region, endpoint, accessKeyId, caCertificate, patterns },
    secretAccessKey: secretReferences[0] ?? "",
    sessionToken: secretReferences[1] ?? "",
  };
}

/** Why the stored secret has to be entered again; null if it can stay. */
export function reasonToRequireSecret(stored: FilesConnection, fields: FilesFields): string | null {
  if (isS3(stored)) {
    const now = { endpoint: text(fields.endpoint), accessKeyId: text(fields.accessKeyId) };
    return isOtherKey(stored, now) ? "the endpoint or the access key ID changes" : null;
  }
  if (!isHttps(stored)) return null;
  if (hasOtherServer(stored.addresses, linesIn(fields.addresses)))
    return "there is an address on another server";
  return isOtherAuthority(stored.caCertificate, fields.caCertificate) ? "the CA certificate changes" : null;
}

/** The API input. A secret that wasn't typed is omitted, to keep the stored one, and so is where it is kept already. */
export function connectionOf(place: FilesPlace, fields: FilesFields, unchangedSecrets: readonly string[]) {
  const patterns = linesIn(fields.patterns);
  if (place === "folder") return { folder: fields.folder, patterns };
  const caCertificate = text(fields.caCertificate);
  const ca = caCertificate === undefined ? {} : { caCertificate };
  if (place === "https") {
    const secret =
      fields.secretHeaders.trim() === "" ? {} : { secretHeaders: headersIn(fields.secretHeaders) ?? {} };
    return { addresses: linesIn(fields.addresses), patterns, ...secret, ...ca };
  }
  const { bucket, prefix, region, secretAccessKey } = fields;
  const sessionToken = fields.sessionToken.trim();
  const [endpoint, accessKeyId] = [text(fields.endpoint), text(fields.accessKeyId)];
  // The two are one secret: a token is sent with its key.
  const isChanged =
    secretAccessKey !== (unchangedSecrets[0] ?? "") || sessionToken !== (unchangedSecrets[1] ?? "");
  const sent = {
    ...(secretAccessKey !== "" && { secretAccessKey }),
    ...(sessionToken !== "" && { sessionToken }),
  };
  return {
    ...{ bucket, prefix, region, patterns, ...ca },
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(accessKeyId !== undefined && isChanged && sent),
  };
}

const text = (field: string) => field.trim() || undefined;

export const linesIn = (field: string) =>
  field
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
