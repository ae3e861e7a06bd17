import { restRoot } from "@/server/doors/rest/root.ts";
import { pageServices } from "@/server/process/page-services.ts";
import { type ApiDocument, type Endpoint, endpointsByTag } from "./document.ts";

/** The endpoints of a tag, which have a page: all in one took the service half a second, and its reader four megabytes. */
export type Section = { tag: string; path: string; endpoints: Endpoint[] };

export type Reference = { root: string; document: ApiDocument; sections: Section[] };

export const referencePath = "/docs/api";
const pathOf = (tag: string) => `${referencePath}/${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;

let known: Reference | undefined;

/** What the reference of the REST API is made from: the document at /openapi/v1.json. */
export function apiReference(): Reference {
  const { address, openApiDocument } = pageServices();
  const root = address().url + restRoot;
  if (known?.root === root) return known;
  const document = { ...openApiDocument(), servers: [{ url: root }] } as unknown as ApiDocument;
  const sections = [...endpointsByTag(document)].map(([tag, endpoints]) => ({
    ...{ tag, path: pathOf(tag), endpoints },
  }));
  known = { root, document, sections };
  return known;
}
