/** @type {import("next").NextConfig} */
const config = {
  // Addresses that were shared before the page's name changed.
  redirects: async () => [{ source: "/catalogue/:path*", destination: "/catalog/:path*", permanent: true }],
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  // The type check is a step of `npm test`; a start should not repeat it.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // While the service does not answer, the way to another page waits; the Unreachable component says so.
    useOffline: true,
    // A page is loaded when it is first opened (some 80 ms), instead of all of them before the service is ready.
    preloadEntriesOnStart: false,
  },
};

export default config;
