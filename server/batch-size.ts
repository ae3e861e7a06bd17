/**
 * How many procedures a page calls in one request at most: the browser's link makes another request of what is more,
 * and the tRPC door refuses it. The fullest page, when it comes to life, asks for a dozen things at once.
 */
export const mostCallsInBatch = 20;
