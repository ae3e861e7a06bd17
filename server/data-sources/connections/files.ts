import { z } from "zod";
import { text } from "../../db/schema-parts.ts";
import { isReadable } from "../engines/files/formats.ts";
import { baseUrl, caCertificate, headerFields } from "./parts.ts";

/** `/data` or `C:\\data`; without control characters. */
function isAbsolutePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/])/.test(path) && !/\p{Cc}/u.test(path);
}

function staysBelow(pattern: string): boolean {
  const parts = pattern.split(/[\\/]/);
  return !/\p{Cc}/u.test(pattern) && !/^[A-Za-z]:/.test(pattern) && parts[0] !== "" && !parts.includes("..");
}

const patterns = (description: string) =>
  z
    .array(
      text(300)
        .trim()
        .min(1, "is required")
        .refine(staysBelow, "must be below the folder, without .. or a leading slash"),
    )
    .max(100)
    .default([])
    .meta({ description });

export const folderConnection = z.strictObject({
  folder: text(1000)
    .trim()
    .refine(isAbsolutePath, "must be an absolute path")
    .meta({ description: "A folder on the server, within one of those that FILES_ALLOW lists" }),
  patterns: patterns(
    "File patterns below the folder, such as `sales/2024-*.csv`: the files that match one are one table, named like the pattern",
  ),
});
export type FolderConnection = z.output<typeof folderConnection>;

export const s3Connection = z.strictObject({
  bucket: text(255)
    .trim()
    .regex(/^(?!.*\.\.)[A-Za-z0-9][\w.-]{1,253}[A-Za-z0-9]$/, "must be the name of a bucket"),
  prefix: text(900).trim().default("").meta({
    description: "The folder in the bucket, such as `exports/shop`; the whole bucket if it is empty",
  }),
  region: text(50)
    .trim()
    .regex(/^[a-z0-9-]+$/, "must be a region, such as eu-central-1")
    .default("us-east-1"),
  endpoint: baseUrl.optional().meta({
    description: "The address of storage other than Amazon's, such as https://minio.example.com:9000",
  }),
  accessKeyId: text(200)
    .trim()
    .regex(/^[\x21-\x2b\x2d-\x7e]+$/, "must be an access key ID")
    .optional()
    .meta({ description: "Omitted for a bucket that is public" }),
  patterns: patterns(
    "Patterns of keys below the prefix, such as `sales/2024-*.csv`: the objects that match one are one table, named like the pattern. With patterns, nothing else is read",
  ),
  caCertificate: caCertificate.optional(),
});
// The two are stored as a line each.
const oneLine = /^[^\r\n]*$/;
export const s3ConnectionInput = s3Connection
  .extend({
    secretAccessKey: text(1000).regex(oneLine, "must be one line").optional(),
    sessionToken: text(4000).trim().regex(oneLine, "must be one line").optional().meta({
      description: "Of a temporary access key: sent with its secret access key, and stored with it",
    }),
  })
  .refine(({ accessKeyId, secretAccessKey }) => accessKeyId !== undefined || !secretAccessKey, {
    path: ["accessKeyId"],
    message: "is required with a secret access key",
  })
  .refine(({ secretAccessKey, sessionToken }) => !sessionToken || secretAccessKey, {
    path: ["secretAccessKey"],
    message: "is required with a session token",
  });
export type S3Connection = z.output<typeof s3Connection>;

const fileAddress = text(2000)
  .trim()
  .refine((address) => {
    if (!URL.canParse(address)) return false;
    const { protocol, username, password, hash } = new URL(address);
    return protocol === "https:" && !username && !password && !hash;
  }, "must be an https URL without user, password, or fragment")
  .refine(
    (address) => !URL.canParse(address) || isReadable(fileNameOf(address)),
    "must end with a file name, such as orders.csv or visits.parquet",
  );
export const httpsConnection = z.strictObject({
  addresses: z
    .array(fileAddress)
    .min(1, "is required")
    .max(100)
    .refine(
      (addresses) =>
        new Set(addresses.map((each) => fileNameOf(each).toLowerCase())).size === addresses.length,
      "must not contain two files of the same name",
    )
    .meta({ description: "The addresses of files, visible to everyone who sees the data source" }),
  patterns: patterns(
    "Patterns of file names, such as `sales-*.csv`: the files that match one are one table, named like the pattern",
  ),
  caCertificate: caCertificate.optional(),
});
export const httpsConnectionInput = httpsConnection.extend({ secretHeaders: headerFields.optional() });
export type HttpsConnection = z.output<typeof httpsConnection>;

/** The last part of an address's path; empty if it has none that can be a file's name. */
export function fileNameOf(address: string): string {
  const name = URL.canParse(address) ? (new URL(address).pathname.split("/").at(-1) ?? "") : "";
  try {
    const decoded = decodeURIComponent(name);
    return /[\\/\p{Cc}]/u.test(decoded) || /^[._]/.test(decoded) ? "" : decoded;
  } catch {
    return "";
  }
}

export type FilesConnection = FolderConnection | S3Connection | HttpsConnection;
