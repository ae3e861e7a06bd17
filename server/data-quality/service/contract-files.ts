import type { SignedIn } from "../../auth/principal.ts";
import { Problem } from "../../errors.ts";
import { listRecipients } from "../../notifications/service/recipients.ts";
import { fieldErrors } from "../../trpc.ts";
import { contractsOf, type ReadFile } from "../odcs/contracts-of.ts";
import { odcsDocument } from "../odcs/document.ts";
import { readYaml } from "../odcs/read-yaml.ts";
import { writeOdcs } from "../odcs/write-odcs.ts";
import { createContractInput } from "../schema.ts";
import { getContractSource } from "./contract-source.ts";
import { createContracts, getContract } from "./contracts.ts";

/** Contracts as files of the Open Data Contract Standard. */

type File = { dataSourceId: number; yaml: string };

/** A contract as YAML. Throws not_found like `getContract`. */
export async function exportContract(ctx: SignedIn, id: number): Promise<string> {
  const contract = await getContract(ctx, id);
  const { engine, defaultSchema } = await getContractSource(ctx, contract.dataSourceId);
  return writeOdcs(contract, { dialect: engine.dialect, defaultSchema });
}

/**
 * Creates a contract for every table with rules in a file, or none of them. What the file says beside that is
 * answered in `unmapped`. Throws invalid for what is no file of the standard or does not fit a contract, rejected
 * where there is no rule in it, and what creating a contract throws.
 */
export async function importContracts(ctx: SignedIn, file: File) {
  const { contracts: inputs, unmapped } = await readFile(ctx, file);
  if (inputs.length === 0)
    throw new Problem("rejected", "The file has no table with rules that can be measured here", {
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
  const { source, engine, defaultSchema } = await getContractSource(ctx, dataSourceId);
  const parsed = odcsDocument.safeParse(await readYaml(yaml));
  if (!parsed.success)
    throw new Problem("invalid", "The file is not one of the Open Data Contract Standard that can be read", {
      errors: fieldErrors(parsed.error).slice(0, 100),
    });
  const recipients = (await listRecipients(ctx, { projectId: source.projectId })).items;
  const { errors, ...read } = contractsOf(parsed.data, { dataSourceId, engine, defaultSchema, recipients });
  if (errors.length > 0)
    throw new Problem("invalid", "The file holds what no contract can", { errors: errors.slice(0, 100) });
  return read;
}
