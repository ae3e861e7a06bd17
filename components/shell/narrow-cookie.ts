/** Remembers whether the navigation is narrow; a cookie, so that the server already draws it so. */
export const narrowCookie = "plumbline.narrow";
