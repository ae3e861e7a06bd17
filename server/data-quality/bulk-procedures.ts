import { bulkProcedure } from "../bulk.ts";
import { silenceFields } from "../notifications/silence.ts";
import { assignContractInput } from "./schema.ts";
import { archiveContract, assignRow, silenceRow } from "./service/contracts.ts";

const about = { object: "contract", tag: "Data quality" };

/** What can be done to many contracts at once. */
export const bulkProcedures = {
  silenceMany: bulkProcedure(
    "evaluations:run",
    {
      ...about,
      path: "/bulk/contracts/silence",
      summary: "Silence contracts until a given time, or end their silences",
    },
    silenceFields,
    silenceRow,
  ),

  assignMany: bulkProcedure(
    "contracts:configure",
    { ...about, path: "/bulk/contracts/assign", summary: "Set or remove the owner of contracts" },
    { userId: assignContractInput.shape.userId },
    assignRow,
  ),

  archiveMany: bulkProcedure(
    "contracts:configure",
    { ...about, path: "/bulk/contracts/archive", summary: "Archive contracts and unschedule them" },
    {},
    (ctx, { id }) => archiveContract(ctx, id),
  ),
};
