import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { rejectInTransaction } from "../../db/ambient.ts";
import { Problem } from "../../errors.ts";
import {
  rejectOtherKind,
  rejectOtherReceiver,
  type SplitConnection,
  secretText,
  splitSecret,
  withSecret,
} from "../connection-secret.ts";
import { dialectOf } from "../dialects/dialects.ts";
import { isSourceError, type OpenConnection } from "../engines/engine.ts";
import { getEngine } from "../engines/engines.ts";
import type { Kind } from "../kinds.ts";
import type { ConnectionTest, testConnectionInput } from "../schema.ts";
import type { dataSources } from "../tables.ts";
import { rejectOtherFolder } from "./allowed-folders.ts";
import { rejectUnreadableCertificate } from "./ca-certificates.ts";
import { openConnection } from "./connected-sources.ts";
import { getStored } from "./load-data-sources.ts";
import { rejectOtherIdentity } from "./managed-identities.ts";
import { rejectOtherReferences, withReadSecrets } from "./read-secrets.ts";

type Test = ReturnType<typeof testConnectionInput.parse>;

/** Tests a connection that is not stored; with `dataSourceId`, an omitted secret is the stored one. */
export async function testConnection(
  ctx: SignedIn,
  { projectId, kind, connection: given, dataSourceId }: Test,
): Promise<ConnectionTest> {
  if (projectId !== undefined && !maySeeProject(ctx.principal, projectId))
    throw new Problem("not_found", "Project not found");
  const isForNoProject = projectId === undefined && dataSourceId === undefined;
  if (isForNoProject && ctx.principal.projectIds !== null)
    throw new Problem(
      "forbidden",
      "A key that is limited to projects must specify the project or data source",
    );
  await rejectOtherFolder(given);
  rejectUnreadableCertificate(given);
  const stored = dataSourceId === undefined ? null : await getStored(ctx, dataSourceId);
  const project = stored?.projectId ?? projectId ?? null;
  rejectOtherReferences(given, project);
  rejectOtherIdentity(given, project);
  const sent = splitSecret(given, factsOf(kind));
  const complete = stored ? completed(stored, sent) : withSecret(sent.connection, sent.secret ?? "");
  try {
    return { ok: true, ...(await test(kind, complete, project)) };
  } catch (error) {
    if (isSourceError(error)) return { ok: false, message: error.message };
    throw error;
  }
}

/** With the secret that was sent, or else the stored one. Throws invalid if that would be sent elsewhere. */
export function completed(
  stored: typeof dataSources.$inferSelect,
  { connection, secret }: SplitConnection,
): OpenConnection {
  rejectOtherKind(stored.connection, connection);
  if (secret !== undefined) return withSecret(connection, secret);
  const kept = openConnection(stored);
  rejectOtherReceiver(kept, connection);
  return withSecret(connection, secretText(kept));
}

export const factsOf = (kind: Kind) => dialectOf(kind)?.connection ?? null;

async function test(kind: Kind, connection: OpenConnection, projectId: number | null) {
  rejectInTransaction("A data source");
  const source = getEngine(kind).open(await withReadSecrets(connection, projectId, { fresh: true }), {
    projectId,
  });
  try {
    return await source.test();
  } finally {
    await source.close();
  }
}

/** Whether the login can write; null if the data source did not respond. */
export async function mayWrite(
  kind: Kind,
  connection: OpenConnection,
  projectId: number,
): Promise<boolean | null> {
  try {
    return (await test(kind, connection, projectId)).canWrite ?? null;
  } catch (error) {
    if (isSourceError(error)) return null;
    throw error;
  }
}
