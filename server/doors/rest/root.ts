/** The base path of the REST API. */
export const restRoot = "/svc/api";
