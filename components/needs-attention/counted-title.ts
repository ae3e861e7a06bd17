/** A page's title with the number of items that need a person: "(3) Tasks · Plumbline". Replaces an earlier number. */
export function countedTitle(title: string, count: number): string {
  const plain = title.replace(/^\(\d+\) /, "");
  return count === 0 ? plain : `(${count}) ${plain}`;
}
