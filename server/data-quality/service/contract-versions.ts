import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { type Author, byOfAuthor } from "../../audit/service.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db, type Transaction } from "../../db/client.ts";
import type { FieldChange } from "../../edits/schema.ts";
import { changesInWords } from "../../edits/words.ts";
import { Problem } from "../../errors.ts";
import { contractVersions } from "../tables.ts";
import type { ContractContent } from "../version-schema.ts";
import { getContractTarget } from "./load-contracts.ts";

type Stored = Omit<typeof contractVersions.$inferSelect, "content">;

/**
 * A contract's versions, newest first, without their content. Versions of a table whose data source the caller cannot
 * access are left out. Throws like `getContract`.
 */
export async function listContractVersions(ctx: SignedIn, { id, take }: { id: number; take: number }) {
  await getContractTarget(ctx, id);
  const { content: _, ...columns } = contractVersionColumns;
  const rows = await db
    .select(columns)
    .from(contractVersions)
    .where(and(eq(contractVersions.contractId, id), await isVisible(ctx)))
    .orderBy(desc(contractVersions.number))
    .limit(take);
  return { items: rows.map(presented) };
}

/** One version with its content. Throws not_found like the list leaves out. */
export async function getContractVersion(ctx: SignedIn, { id, number }: { id: number; number: number }) {
  await getContractTarget(ctx, id);
  const [row] = await db
    .select()
    .from(contractVersions)
    .where(
      and(eq(contractVersions.contractId, id), eq(contractVersions.number, number), await isVisible(ctx)),
    );
  if (!row) throw new Problem("not_found", "Version not found");
  const { content, ...version } = row;
  return { ...presented(version), content };
}

/** Stores a version; belongs into the transaction of the save, which holds the contract's row. */
export async function storeContractVersion(
  tx: Transaction,
  author: Author,
  version: {
    contractId: number;
    number: number;
    revision: number;
    content: ContractContent;
    changes: FieldChange[];
    restoredFrom: number | null;
  },
): Promise<void> {
  const by = byOfAuthor(author);
  await tx.insert(contractVersions).values({
    ...version,
    ...{ principalKind: by.kind, principalId: by.id, principalName: by.name },
  });
}

const contractVersionColumns = {
  contractId: contractVersions.contractId,
  number: contractVersions.number,
  revision: contractVersions.revision,
  content: contractVersions.content,
  changes: contractVersions.changes,
  restoredFrom: contractVersions.restoredFrom,
  principalKind: contractVersions.principalKind,
  principalId: contractVersions.principalId,
  principalName: contractVersions.principalName,
  createdAt: contractVersions.createdAt,
};

/** A contract may have watched a table of a project that the caller cannot access. */
async function isVisible(ctx: SignedIn) {
  const { items } = await listDataSources(ctx, {});
  const ids = items.map(({ id }) => id);
  return inArray(sql<number>`(${contractVersions.content} ->> 'dataSourceId')::integer`, ids);
}

function presented({ number, revision, changes, restoredFrom, createdAt, ...row }: Stored) {
  const { principalKind, principalId, principalName } = row;
  return {
    ...{ number, revision, changes, restoredFrom, createdAt },
    createdBy:
      principalKind === null || principalName === null
        ? null
        : { kind: principalKind, id: principalId, name: principalName },
    summary: summaryOf(number, changes, restoredFrom),
  };
}

function summaryOf(number: number, changes: readonly FieldChange[], restoredFrom: number | null): string {
  if (restoredFrom !== null) return `Restored version ${restoredFrom}`;
  if (number === 1) return "First version";
  const words = changesInWords(changes);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
