"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Fewer are all drawn: searching in the page finds them, and nothing is measured. */
const few = 200;

/**
 * The body of a table in the page of which only the rows near the window are drawn, once there are many: to draw ten thousand took
 * the browser a quarter of a minute.
 *
 *   <NearRows items={items} rowHeight={32}>{(item, index, measured) => <Tr key={…} {...measured}>…</Tr>}</NearRows>
 *
 * `measured` is for the row; its own `ref` must call that of `measured`, if it has one. `reveal` receives how to scroll to a
 * row that is not drawn.
 */
export function NearRows<Item>(props: Props<Item>) {
  const { items, children } = props;
  if (items.length > few) return <Near {...props} />;
  return <tbody>{items.map((item, index) => children(item, index, {}))}</tbody>;
}

type Props<Item> = {
  items: readonly Item[];
  /** In pixels; of a usual row, if they differ. */
  rowHeight: number;
  reveal?: (toRow: ((index: number) => void) | null) => void;
  children: (item: Item, index: number, measured: Measured) => ReactNode;
};

type Measured = {
  "data-index"?: number;
  "aria-rowindex"?: number;
  ref?: (row: HTMLTableRowElement | null) => void;
};

function Near<Item>({ items, rowHeight, reveal, children }: Props<Item>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
    };
    measure();
    // What is above may grow.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    scrollMargin: top,
    overscan: 15,
    // What the server draws, and the browser first does, wherever it has been scrolled to before.
    initialOffset: 0,
    initialRect: { width: 1280, height: 800 },
  });
  useEffect(() => {
    reveal?.((index) => virtual.scrollToIndex(index));
    return () => reveal?.(null);
  }, [reveal, virtual]);
  const drawn = virtual.getVirtualItems();
  const above = (drawn[0]?.start ?? top) - top;
  const below = virtual.getTotalSize() - ((drawn.at(-1)?.end ?? top) - top);
  return (
    <tbody ref={body}>
      <Gap height={above} />
      {drawn.map(({ index }) =>
        children(items[index] as Item, index, {
          "data-index": index,
          "aria-rowindex": index + 2,
          ref: virtual.measureElement,
        }),
      )}
      <Gap height={below} />
    </tbody>
  );
}

/** Stands for rows that are not drawn. */
export function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}
