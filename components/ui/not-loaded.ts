/** A part of a page that is loaded later could not be. */
export class NotLoaded extends Error {
  constructor(cause: unknown) {
    super("A part of this page could not be loaded. Check the connection, then try again.", { cause });
    this.name = "NotLoaded";
  }
}
