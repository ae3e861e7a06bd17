import { byId } from "../db/schema-parts.ts";
import { procedureFor } from "../trpc.ts";
import {
  createPolicyInput,
  listPoliciesInput,
  policiesSchema,
  policySchema,
  updatePolicyInput,
} from "./schema.ts";
import { createPolicy, getPolicy, listPolicies, removePolicy, updatePolicy } from "./service/policies.ts";

const tag = "Incidents";

/** Who is notified about incidents. */
export const policyProcedures = {
  policies: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/incident-policies", tag, summary: "List incident policies" } })
    .input(listPoliciesInput)
    .output(policiesSchema)
    .query(({ ctx, input }) => listPolicies(ctx, input)),

  policy: procedureFor("everything:read")
    .meta({ rest: { method: "GET", path: "/incident-policies/{id}", tag, summary: "One incident policy" } })
    .input(byId)
    .output(policySchema)
    .query(({ ctx, input }) => getPolicy(ctx, input.id)),

  createPolicy: procedureFor("incidents:configure")
    .meta({
      audit: "incidentPolicy",
      rest: {
        method: "POST",
        path: "/incident-policies",
        tag,
        summary: "Create an incident policy",
        description:
          "Its recipients are notified of each incident of this severity or worse once, and of its end once. If nobody has acknowledged it after `escalateAfterMinutes`, so are the others. Incidents before it do not count.",
        status: 201,
        problems: ["not_found"],
      },
    })
    .input(createPolicyInput)
    .output(policySchema)
    .mutation(({ ctx, input }) => createPolicy(ctx, input)),

  updatePolicy: procedureFor("incidents:configure")
    .meta({
      audit: "incidentPolicy",
      rest: {
        method: "PUT",
        path: "/incident-policies/{id}",
        tag,
        summary: "Update an incident policy",
        problems: ["conflict"],
      },
    })
    .input(updatePolicyInput)
    .output(policySchema)
    .mutation(({ ctx, input }) => updatePolicy(ctx, input)),

  removePolicy: procedureFor("incidents:configure")
    .meta({
      audit: "incidentPolicy",
      auditDetail: (result: { name: string }) => result.name,
      rest: {
        method: "DELETE",
        path: "/incident-policies/{id}",
        tag,
        summary: "Remove an incident policy",
        status: 204,
        problems: ["conflict"],
      },
    })
    .input(byId)
    .mutation(({ ctx, input }) => removePolicy(ctx, input.id)),
};
