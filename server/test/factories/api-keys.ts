import type { ApiKeyWrite } from "../../api-keys/schema.ts";
import { createKey } from "../../api-keys/service/create-key.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { asAdmin } from "./principals.ts";

/** A key created through the service: by default a new Admin's, with all scopes and no limits. */
export async function aKey(key: Partial<ApiKeyWrite> = {}, by?: SignedIn) {
  const creator = by ?? (await asAdmin());
  const created = await createKey(creator, { name: "Pipeline", scopes: ["Admin"], ...key });
  return { ...created, headers: bearer(created.rawKey) };
}

/** The only form in which a key is accepted. */
export const bearer = (rawKey: string) => ({ authorization: `Bearer ${rawKey}` });
