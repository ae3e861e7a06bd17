import { z } from "zod";
import { SourceError } from "../engine.ts";

/** What is used of a service account's key file. The addresses that it contains are not. */
const keyFile = z.object({
  type: z.literal("service_account"),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  universe_domain: z.literal("googleapis.com").optional(),
});

export type ServiceAccount = { email: string; privateKey: string; keyId: string | undefined };

/** null where there is none. Throws SourceError, without anything of the text. */
export function serviceAccountIn(text: string): ServiceAccount | null {
  if (text.trim() === "") return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw unusable("it is not JSON");
  }
  const key = keyFile.safeParse(parsed);
  if (!key.success) throw unusable(faultOf(key.error.issues[0]?.path[0]));
  const { client_email: email, private_key: privateKey, private_key_id: keyId } = key.data;
  return { email, privateKey, keyId };
}

function faultOf(field: PropertyKey | undefined): string {
  if (field === "type") return 'its type must be "service_account"';
  if (field === "universe_domain") return "it is for another cloud than Google's public one";
  return field === undefined ? "it must be an object" : `${String(field)} is missing`;
}

export const unusable = (why: string) =>
  new SourceError("unreachable", `The service account key cannot be used: ${why}`);
