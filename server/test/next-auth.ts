import NextAuth from "next-auth";
import { authOptions } from "../auth/sessions.ts";

/** next-auth itself, on plain requests and responses: its own way to them works inside of Next alone. */
export async function nextAuth(request: Request, path: string[]): Promise<Response> {
  const options = await authOptions({
    ...{ provider: path[1], headers: request.headers, record: async () => {} },
  });
  const handle = NextAuth(options) as unknown as (request: object, response: object) => Promise<void>;
  const body = Object.fromEntries(new URLSearchParams(await request.text()));
  const headers = new Headers();
  const answer = { status: 200, body: null as string | null };
  const response = {
    getHeader: (name: string) => (name === "Set-Cookie" ? headers.getSetCookie() : headers.get(name)),
    setHeader(name: string, value: string | string[]) {
      headers.delete(name);
      for (const each of [value].flat()) headers.append(name, each);
      return response;
    },
    status(status: number) {
      answer.status = status;
      return response;
    },
    json(value: unknown) {
      answer.body = JSON.stringify(value);
    },
    send(value: unknown) {
      answer.body = typeof value === "string" ? value : JSON.stringify(value);
    },
    end() {},
  };
  const cookies = (request.headers.get("cookie") ?? "").split("; ").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name, decodeURIComponent(value.join("="))];
  });
  await handle(
    {
      method: request.method,
      query: { nextauth: path, ...Object.fromEntries(new URL(request.url).searchParams) },
      body,
      cookies: Object.fromEntries(cookies),
      headers: Object.fromEntries(request.headers),
    },
    response,
  );
  return new Response(answer.body, { status: answer.status, headers });
}

/** The cookies that an answer sets, as a browser would send them back. */
export const cookieFrom = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
