/** Below which path the REST door lies. */
export const restRoot = "/svc/api";
