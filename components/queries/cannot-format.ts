/** Why SQL stays as it is: a message to show. */
export class CannotFormat extends Error {
  override readonly name = "CannotFormat";
}
