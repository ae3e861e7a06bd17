/** A heading's anchor, as GitHub generates it. */
export const anchorOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** Anchors of one page: the second heading with the same text gets `-1`, the third `-2`, as on GitHub. */
export function anchorsOfPage(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const wanted = anchorOf(heading);
    let anchor = wanted;
    for (let count = 1; taken.has(anchor); count++) anchor = `${wanted}-${count}`;
    taken.add(anchor);
    return anchor;
  };
}
