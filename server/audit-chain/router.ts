import { procedureFor, router } from "../trpc.ts";
import { auditVerificationSchema, verifyAuditInput } from "./schema.ts";
import { verifyChain } from "./service/verify-chain.ts";

const tag = "Audit log";

/** Part of the audit log's router. */
export const auditChainRouter = router({
  verify: procedureFor("audit:read")
    .meta({
      rest: {
        method: "GET",
        path: "/audit-log/verification",
        tag,
        summary: "Whether entries were removed or changed",
        description:
          "Reads the whole log and checks it against its signed chain. `position` and `hash` are an end of the chain that was noted earlier: it must still be there.",
      },
    })
    .input(verifyAuditInput)
    .output(auditVerificationSchema)
    .query(({ input }) => verifyChain(input)),
});
