import { XMLParser } from "fast-xml-parser";
import { z } from "zod";
import type { SourceError } from "../engine.ts";
import { unreachable, unusable } from "./object-store.ts";

/** Reads what S3-compatible storage answers. Pure. */

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => name === "Contents",
});

const page = z.object({
  ListBucketResult: z.object({
    EncodingType: z.string().optional(),
    IsTruncated: z.string().optional(),
    NextContinuationToken: z.string().optional(),
    Contents: z
      .array(
        z.object({
          Key: z.string(),
          Size: z.string().regex(/^\d{1,15}$/),
          ETag: z.string().optional(),
          LastModified: z.string().optional(),
        }),
      )
      .default([]),
  }),
});

export type ListedKey = { key: string; size: number; etag: string | null; version: string };
export type Page = { keys: ListedKey[]; next: string | null };

/** One page of a listing. Throws SourceError for what is none. */
export function pageIn(body: string): Page {
  const parsed = page.safeParse(parsedXml(body));
  if (!parsed.success) throw notS3();
  const { Contents, EncodingType, IsTruncated, NextContinuationToken: next } = parsed.data.ListBucketResult;
  return {
    keys: Contents.map(({ Key, Size, ETag = "", LastModified = "" }) => ({
      key: EncodingType === "url" ? decoded(Key) : Key,
      size: Number(Size),
      etag: ETag || null,
      version: [ETag, Size, LastModified].join(" "),
    })),
    next: IsTruncated === "true" && next ? next : null,
  };
}

function parsedXml(body: string): unknown {
  // Storage sends no document types, whose entities could be made to grow.
  if (/<!DOCTYPE/i.test(body)) throw notS3();
  try {
    return parser.parse(body);
  } catch {
    throw notS3();
  }
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    throw notS3();
  }
}

const notS3 = () => unreachable("The server on this address did not answer as S3-compatible storage does");

const errorAnswer = z.object({
  Error: z.object({ Code: z.string(), Region: z.string().optional() }),
});

type Refused = { status: number; body: string; region: string | undefined };

/** What is said about an answer that is an error; the storage's own words may repeat the request, and are not shown. */
export function refusalOf({ status, body, region: named }: Refused, what: string): SourceError {
  const parsed = errorAnswer.safeParse(safelyParsed(body));
  const { Code: code = "", Region: inBody } = parsed.success ? parsed.data.Error : {};
  const known = messages[code];
  if (known) return unreachable(known);
  const region = named ?? inBody;
  if (region && /^[a-z0-9-]{2,50}$/.test(region) && (status === 301 || status === 307 || status === 400))
    return unreachable(`The bucket is in another region: ${region}`);
  if (code === "InvalidObjectState") return unusable(`${what} is archived and must be restored first`);
  if (code === "AccessDenied" || status === 403)
    return unreachable(`The storage denies access to ${what} with this key`);
  if (code === "NoSuchKey" || status === 412 || status === 404) return unreachable(`${what} ${changed}`);
  if (status >= 500 || status === 429)
    return unreachable("The storage is busy or has failed: try again later");
  if (status >= 300 && status < 400)
    return unreachable("The storage redirects to another address, which is not followed: use that one");
  return code === "" ? notS3() : unreachable(`The storage rejected the request (HTTP ${status})`);
}

export const changed = "was changed or removed while it was read: try again";

const newKeyNeeded =
  "The temporary access key has expired: enter a new access key ID, secret access key, and session token";

const messages: Readonly<Record<string, string>> = {
  NoSuchBucket: "The bucket does not exist",
  InvalidAccessKeyId:
    "The storage does not know the access key ID; if it is a temporary one, its session token is needed too",
  SignatureDoesNotMatch: "The secret access key is wrong",
  RequestTimeTooSkewed: "The clock of this machine differs too much from that of the storage",
  ExpiredToken: newKeyNeeded,
  TokenRefreshRequired: newKeyNeeded,
  InvalidToken: "The session token is wrong, or belongs to another access key ID",
  AllAccessDisabled: "The bucket is disabled",
};

function safelyParsed(body: string): unknown {
  try {
    return parsedXml(body);
  } catch {
    return null;
  }
}
