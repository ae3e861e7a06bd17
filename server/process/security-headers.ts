import { randomBytes } from "node:crypto";

const nonceBytes = 16;
/** Random bytes for the next nonces: every response has one, and asking for many at once is a tenth of the work. */
let unused = Buffer.alloc(0);

export function makeNonce(): string {
  if (unused.length === 0) unused = randomBytes(256 * nonceBytes);
  const nonce = unused.toString("base64", 0, nonceBytes);
  unused = unused.subarray(nonceBytes);
  return nonce;
}

/**
 * Hashes of the style elements that sonner (toasts) adds without a nonce: empty first, then its styles. A test fails
 * if another version changes them.
 */
export const toastStyles = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
];

/**
 * The content security policy: only what this service serves, and no inline script or style element without the
 * request's nonce. 'strict-dynamic' lets such a script load others, as Next does. Style attributes are allowed
 * because server-rendered bars and panels use them; browsers that do not distinguish elements from attributes use
 * style-src.
 *
 * Development is looser: React and hot reload evaluate code and add styles.
 *
 * `hub` is the origin of an external real-time service, if there is one.
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

/** Headers of every response. HSTS is only sent if the service is reached over https. */
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
