import type { SignedIn } from "../../auth/principal.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { Problem } from "../../errors.ts";
import { listRecipients } from "../../notifications/service/recipients.ts";
import { fieldErrors } from "../../trpc.ts";
import { contractsOf, type ReadFile } from "../odcs/contracts-of.ts";
import { odcsDocument, type WrittenVersion } from "../odcs/document.ts";
import { readYaml } from "../odcs/read-yaml.ts";
import { writeOdcs } from "../odcs/write-odcs.ts";
import { createContractInput } from "../schema.ts";
import { getContractSource } from "./contract-sources.ts";
import { createContracts, getContract } from "./contracts.ts";

/** Contracts as files of the Open Data Contract Standard. */

type File = { dataSourceId: number; yaml: string };

/** A contract as YAML. Throws like `getContract`. */
export async function exportContract(
  ctx: SignedIn,
  { id, version }: { id: number; version: WrittenVersion },
): Promise<string> {
  const contract = await getContract(ctx, id);
  const { source, dialect, defaultSchema } = await getContractSource(ctx, contract.dataSourceId);
  const dataSources = (await listDataSources(ctx, { projectId: source.projectId })).items;
  return writeOdcs(contract, { dialect, defaultSchema, dataSources, version });
}

/**
 * Creates a contract for every table with rules in a file, or none if one cannot be. Parts without an equivalent are
 * returned in `unmapped`. Throws invalid for a file that is not of the standard or does not fit a contract, rejected if
 * there are no rules, and like `createContract`.
 */
export async function importContracts(ctx: SignedIn, file: File) {
  const { contracts: inputs, unmapped } = await readFile(ctx, file);
  if (inputs.length === 0)
    throw new Problem("rejected", "The file has no table with supported rules", {
      errors: unmapped.slice(0, 100).map(({ path, reason }) => ({ path, message: reason })),
    });
  const created = await createContracts(
    ctx,
    inputs.map((input) => createContractInput.parse(input)),
  );
  return { contracts: created, unmapped };
}

/** What an import would create, without creating it. Throws like `importContracts`, except for a file without rules. */
export function previewImport(ctx: SignedIn, file: File) {
  return readFile(ctx, file);
}

async function readFile(ctx: SignedIn, { dataSourceId, yaml }: File): Promise<Omit<ReadFile, "errors">> {
  const { source, dialect, defaultSchema } = await getContractSource(ctx, dataSourceId);
  const parsed = odcsDocument.safeParse(await readYaml(yaml));
  if (!parsed.success)
    throw new Problem("invalid", "The file is not a readable Open Data Contract Standard file", {
      errors: fieldErrors(parsed.error).slice(0, 100),
    });
  const recipients = (await listRecipients(ctx, { projectId: source.projectId })).items;
  const dataSources = (await listDataSources(ctx, { projectId: source.projectId })).items;
  const { errors, ...read } = contractsOf(parsed.data, {
    ...{ dataSourceId, dialect, defaultSchema, recipients, dataSources },
  });
  if (errors.length > 0)
    throw new Problem("invalid", "The file contains values that a contract cannot have", {
      errors: errors.slice(0, 100),
    });
  return read;
}
