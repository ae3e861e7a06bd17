"use client";

/** Statuses a proxy returns while it can't reach the service. */
const unreachable = new Set([502, 503, 504]);

/**
 * Turns a proxy's error response to a page request into a network error. The router then keeps the open page, says
 * that the service is not responding, and retries. Otherwise it would navigate to the proxy's error page. This applies
 * only to the router's requests, which have the header `rsc` and expect `text/x-component`.
 */
export function withoutProxyAnswers(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    const isRouters = new Headers(init?.headers).has("rsc");
    const isServices = response.headers.get("content-type")?.startsWith("text/x-component") ?? false;
    if (isRouters && !isServices && unreachable.has(response.status))
      throw new TypeError(`The service is not responding: ${response.status}`);
    return response;
  };
}

// Once per tab, before the first link is followed.
if (typeof window !== "undefined") window.fetch = withoutProxyAnswers(window.fetch.bind(window));
