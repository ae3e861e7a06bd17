import { groupUrn, userUrn } from "../auth/scim/schema.ts";
import { publicUrl } from "../env.ts";

/** Where identity providers push users and groups to. */
export const scimRoot = "/svc/scim/v2";

/** A list has at most this many (RFC 7644, 3.4.2.4). */
export const maxResults = 200;

export type Described = { id?: string; name?: string } & Record<string, unknown>;

/** What this service supports (RFC 7643, 5 to 7). */
export function scimDescriptions(): Record<string, readonly Described[]> {
  const at = (path: string, resourceType: string) => ({
    meta: { resourceType, location: `${publicUrl()}${scimRoot}/${path}` },
  });
  const off = { supported: false };
  const resourceType = (name: string, schema: string) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    ...{ id: name, name, endpoint: `/${name}s`, schema },
    ...at(`ResourceTypes/${name}`, "ResourceType"),
  });
  const attribute = (name: string, more: object = {}) => ({
    ...{ name, type: "string", multiValued: false, required: false, caseExact: false },
    ...{ mutability: "readWrite", returned: "default", uniqueness: "none", ...more },
  });
  const reference = {
    type: "complex",
    multiValued: true,
    subAttributes: [attribute("value"), attribute("display")],
  };
  const schema = (id: string, name: string, attributes: object[]) => ({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    ...{ id, name, description: name, attributes },
    ...at(`Schemas/${id}`, "Schema"),
  });
  return {
    ServiceProviderConfig: [
      {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
        patch: { supported: true },
        bulk: { ...off, maxOperations: 0, maxPayloadSize: 0 },
        filter: { supported: true, maxResults },
        ...{ changePassword: off, sort: off, etag: off },
        authenticationSchemes: [
          {
            type: "oauthbearertoken",
            name: "Bearer token",
            description: "The token that the operator has set as SCIM_TOKEN",
            primary: true,
          },
        ],
        ...at("ServiceProviderConfig", "ServiceProviderConfig"),
      },
    ],
    ResourceTypes: [resourceType("User", userUrn), resourceType("Group", groupUrn)],
    Schemas: [
      schema(userUrn, "User", [
        attribute("userName", { required: true, uniqueness: "server" }),
        attribute("displayName"),
        attribute("name", {
          type: "complex",
          subAttributes: [attribute("formatted"), attribute("givenName"), attribute("familyName")],
        }),
        attribute("emails", {
          ...{ type: "complex", multiValued: true },
          subAttributes: [attribute("value"), attribute("type"), attribute("primary", { type: "boolean" })],
        }),
        attribute("active", { type: "boolean" }),
        attribute("groups", { ...reference, mutability: "readOnly" }),
      ]),
      schema(groupUrn, "Group", [
        attribute("displayName", { required: true, uniqueness: "server" }),
        attribute("members", reference),
      ]),
    ],
  };
}
