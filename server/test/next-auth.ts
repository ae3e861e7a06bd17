import { callNextAuth } from "../auth/next-auth.ts";
import { authOptions } from "../auth/sessions.ts";

/** next-auth as the session endpoint calls it, without what the endpoint adds. */
export async function nextAuth(request: Request, path: string[]): Promise<Response> {
  const { headers } = request;
  const options = await authOptions({ provider: path[1], headers, record: async () => {}, notes: {} });
  return callNextAuth(request, path, options);
}

/** The cookies that a response sets, as a browser would send them back. */
export const cookieFrom = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
