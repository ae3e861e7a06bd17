import { z } from "zod";
import { baseUrl, caCertificate, headerFields, namesOf } from "./parts.ts";

export const restConnection = z.strictObject({
  baseUrl,
  headers: headerFields
    .refine((headers) => !namesOf(headers).some((name) => /^(authorization|cookie)$/.test(name)), {
      message: "must not contain Authorization or Cookie: they belong in secretHeaders",
    })
    .default({}),
  caCertificate: caCertificate.optional(),
});
export const restConnectionInput = restConnection.extend({ secretHeaders: headerFields.optional() }).refine(
  ({ headers, secretHeaders = {} }) => {
    const secret = new Set(namesOf(secretHeaders));
    return !namesOf(headers).some((name) => secret.has(name));
  },
  { path: ["secretHeaders"], message: "must not contain a header that is also in headers" },
);

export type RestConnection = z.output<typeof restConnection>;
