import { serve } from "inngest/edge";
import { bodyLimits, withBody } from "../doors/request-body.ts";
import { handleRest } from "../doors/rest/dispatch.ts";
import { problemResponse } from "../doors/rest/problem-response.ts";
import { env, publicUrl } from "../env.ts";
import { Problem } from "../errors.ts";
import { jobFunctions } from "../job-functions.ts";
import { instrumentJob } from "../jobs/called-by-inngest.ts";
import { appId, inngest, isEmbedded } from "../jobs/client.ts";

/** The endpoint at which Inngest calls the jobs. */
export const inngestPath = "/svc/api/inngest";

function openDoor() {
  const functions = jobFunctions();
  return {
    serve: serve({
      client: inngest,
      functions,
      // From the settings, not the Host header, which anyone can forge.
      serveOrigin: env().INNGEST_SERVE_ORIGIN ?? publicUrl(),
      servePath: inngestPath,
      enableUnauthedSync: false,
    }),
    functionIds: new Set(functions.map((fn) => fn.id(appId))),
  };
}

let inngestDoor: ReturnType<typeof openDoor> | undefined;

/**
 * The endpoint for Inngest, whose requests are signed with the signing key. The embedded engine calls jobs in-process
 * without a signature, so with it there is no endpoint.
 */
export async function handleInngest(request: Request): Promise<Response> {
  if (!["GET", "HEAD", "POST", "PUT"].includes(request.method)) return handleRest(request);
  if (isEmbedded()) return problemResponse(new Problem("not_found", "Not found"));
  inngestDoor ??= openDoor();
  const { serve, functionIds } = inngestDoor;
  try {
    // The signature covers the whole body, so it is read before the caller is authenticated.
    const bounded = await withBody(request, bodyLimits.inngest);
    return await instrumentJob(request.url, functionIds, () => serve(bounded));
  } catch (error) {
    return problemResponse(error);
  }
}
