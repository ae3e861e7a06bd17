import { randomBytes } from "node:crypto";

/** Carries the nonce of the request's policy to what renders the page: the process sets it, over whatever was sent. */
export const nonceHeader = "x-plumbline-nonce";

export const makeNonce = () => randomBytes(16).toString("base64");

/**
 * The style element that sonner, which shows the toasts, adds by itself and without a nonce: empty at first, then
 * with what these are the hashes of. A test says when another version brings other styles.
 */
export const toastStyles = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
];

/**
 * What a page may load and run: what this service serves, and no script or style element in the page that does not
 * carry the nonce of the very request. 'strict-dynamic' lets such a script load others, which is how Next brings a
 * page's parts. Style attributes are allowed, because what is rendered on the server places bars and panels by them;
 * browsers that do not tell elements from attributes read style-src alone.
 *
 * Development is looser: React and the hot reload evaluate code and write styles of their own.
 *
 * `hub` is the origin of the service elsewhere that brings the real-time events, where there is one.
 */
export function contentSecurityPolicy({
  isDev,
  hub,
}: {
  isDev: boolean;
  hub?: string | undefined;
}): (nonce: string) => string {
  const nonce = "'nonce-?'";
  const policy = {
    "default-src": ["'none'"],
    "script-src": ["'self'", nonce, "'strict-dynamic'", ...(isDev ? ["'unsafe-eval'"] : [])],
    "style-src": ["'self'", "'unsafe-inline'"],
    "style-src-elem": ["'self'", ...(isDev ? ["'unsafe-inline'"] : [nonce, ...toastStyles])],
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...(hub ? [hub] : [])],
    "manifest-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    "object-src": ["'none'"],
  };
  const directives = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(" "));
  const parts = directives.join("; ").split("?");
  return (nonce) => parts.join(nonce);
}

/** What every answer carries. Only a service that is reached by https may ask browsers never to come by http. */
export function securityHeaders({ isHttps }: { isHttps: boolean }): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": unusedFeatures.map((feature) => `${feature}=()`).join(", "),
    ...(isHttps && { "strict-transport-security": `max-age=${yearInSeconds}` }),
  };
}

const yearInSeconds = 365 * 24 * 60 * 60;

const unusedFeatures = [
  ...[
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
  ],
  ...["gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock"],
  ...["usb", "xr-spatial-tracking"],
];
