import { serve } from "inngest/next";
import { NextRequest } from "next/server";
import { env, publicUrl } from "@/server/env.ts";
import { Problem } from "@/server/errors.ts";
import { jobFunctions } from "@/server/job-functions.ts";
import { accompanyJob } from "@/server/jobs/called-by-inngest.ts";
import { appId, inngest, isEmbedded } from "@/server/jobs/client.ts";
import { bodyLimits, withBody } from "@/server/request-body.ts";
import { handleRest, problemResponse } from "@/server/rest/dispatch.ts";

type Method = "GET" | "POST" | "PUT";

function openDoor() {
  const functions = jobFunctions();
  return {
    serve: serve({
      client: inngest,
      functions,
      // Told, not taken from the Host header, which anyone may send.
      serveOrigin: env().INNGEST_SERVE_ORIGIN ?? publicUrl(),
      servePath: "/svc/api/inngest",
      enableUnauthedSync: false,
    }),
    functionIds: new Set(functions.map((fn) => fn.id(appId))),
  };
}

let inngestDoor: ReturnType<typeof openDoor> | undefined;

/**
 * Where Inngest calls the jobs, signed with the signing key. The embedded engine calls them inside the process
 * and unsigned, so with it there is nothing here.
 */
function handle(method: Method) {
  return async (request: NextRequest, context: unknown): Promise<Response> => {
    if (isEmbedded()) return problemResponse(new Problem("not_found", "There is nothing at this path"));
    inngestDoor ??= openDoor();
    const { serve, functionIds } = inngestDoor;
    try {
      // The signature is over the whole body, so it is read before anybody knows who has sent it.
      const bounded = await withBody(request, bodyLimits.inngest, NextRequest);
      return await accompanyJob(request.url, functionIds, () => serve[method](bounded, context));
    } catch (error) {
      return problemResponse(error);
    }
  };
}

export const GET = handle("GET");
export const POST = handle("POST");
export const PUT = handle("PUT");
export { handleRest as DELETE, handleRest as OPTIONS, handleRest as PATCH };
