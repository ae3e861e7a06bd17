import { diffWordsWithSpace } from "diff";

/** An inline diff of two texts: removed words struck through, added words underlined. */
export function WordDiff({ before, after }: { before: string; after: string }) {
  return (
    <p className="max-w-prose break-words whitespace-pre-wrap">
      {diffWordsWithSpace(before, after).map(({ value, added, removed }, place) => {
        const key = `${place} ${value.length}`;
        if (added)
          return (
            <ins key={key} className="bg-ok-soft decoration-ok underline-offset-4">
              {value}
            </ins>
          );
        if (removed)
          return (
            <del key={key} className="bg-critical-soft text-ink-2 decoration-critical">
              {value}
            </del>
          );
        return <span key={key}>{value}</span>;
      })}
    </p>
  );
}
