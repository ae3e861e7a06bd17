import { createRequire } from "node:module";
import type { NextAuthOptions } from "next-auth";
import { Problem } from "../errors.ts";
import { cookiesIn } from "./cookie-session.ts";

/** A CommonJS package whose default export is in a different place for each way to import it. */
const { default: NextAuth } = createRequire(import.meta.url)("next-auth") as {
  default(request: object, response: object, options: NextAuthOptions): Promise<void>;
};

/**
 * next-auth over a web Request and Response; on its own it only supports this inside Next. `path` is what follows
 * /svc/api/auth, such as `["callback", "credentials"]`.
 */
export async function callNextAuth(
  request: Request,
  path: readonly string[],
  options: NextAuthOptions,
): Promise<Response> {
  const answer = new Answer();
  const { searchParams } = new URL(request.url);
  const received = {
    method: request.method,
    query: { ...Object.fromEntries(searchParams), nextauth: path },
    body: await fieldsOf(request),
    cookies: cookiesIn(request.headers),
    headers: Object.fromEntries(request.headers),
  };
  await NextAuth(received, answer, options);
  return answer.response();
}

/** Form or JSON fields; undefined if there is no body. Throws invalid. */
async function fieldsOf(request: Request): Promise<Record<string, unknown> | undefined> {
  if (request.method !== "POST" || request.body === null) return undefined;
  const type = request.headers.get("content-type") ?? "";
  if (type.includes("application/json"))
    return request.json().catch(() => {
      throw new Problem("invalid", "The body is not valid JSON in UTF-8");
    });
  if (!type.includes("application/x-www-form-urlencoded")) return undefined;
  return Object.fromEntries(new URLSearchParams(await request.text()));
}

/** Collects what next-auth writes to a Next API response. */
class Answer {
  private statusCode = 200;
  private body: string | null = null;
  private readonly headers = new Headers();

  getHeader(name: string): string | string[] | undefined {
    if (name.toLowerCase() === "set-cookie") return this.headers.getSetCookie();
    return this.headers.get(name) ?? undefined;
  }

  setHeader(name: string, value: string | string[]): this {
    this.headers.delete(name);
    for (const each of [value].flat()) this.headers.append(name, each);
    return this;
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  json(value: unknown): void {
    this.headers.set("content-type", "application/json");
    this.body = JSON.stringify(value);
  }

  send(value: unknown): void {
    if (typeof value === "object" && value !== null) this.json(value);
    else if (value !== undefined) this.body = String(value);
  }

  end(): void {}

  response(): Response {
    return new Response(this.body, { status: this.statusCode, headers: this.headers });
  }
}
