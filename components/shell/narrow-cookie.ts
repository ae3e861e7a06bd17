/** Whether the navigation is collapsed; a cookie, so that the server can render it that way. */
export const narrowCookie = "plumbline.narrow";
