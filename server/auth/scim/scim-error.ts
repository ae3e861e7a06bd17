/** The kinds of a 400 or 409 (RFC 7644, table 9). */
export type ScimType =
  | "invalidFilter"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "invalidValue";

/** An error as SCIM clients read it. */
export class ScimError extends Error {
  override readonly name = "ScimError";
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }

  /** The body (RFC 7644, 3.12). */
  body() {
    return {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      ...(this.scimType && { scimType: this.scimType }),
      detail: this.message,
      status: String(this.status),
    };
  }
}
