"use client";
/**
 * List: a table whose rows open something. When there are no rows, it says why: nothing exists yet, no matches for
 * the filters, or a page past the end.
 *
 *   <List label="Tasks" things="tasks" columns={columns} rows={items} keyOf={(task) => task.id}
 *     hrefOf={(task) => `/tasks/${task.id}`} list={list} page={page} empty={<Empty …/>}>
 *     {(task, row) => <TaskRow task={task} {...row} />}
 *   </List>
 *
 * j, k, the arrow keys, and Enter work on rows (`useRowKeys`); n and p change pages. ListPage adds the header.
 */
import { useRouter } from "next/navigation";
import { Fragment, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
import { Empty } from "./empty.tsx";
import { Pager } from "./pager.tsx";
import { SelectBox } from "./select-box.tsx";
import { type Sort, Table, Td, Th, Thead } from "./table.tsx";
import { useHeldFor } from "./under-way.tsx";
import { type RowKey, type RowProps, useRowKeys } from "./use-row-keys.ts";
import type { Selection } from "./use-selection.ts";

/** How many rows an unpaginated list renders at first, and adds with each click. */
const rowsAtOnce = 50;

const shownFrom = {
  sm: "hidden sm:table-cell",
  md: "hidden md:table-cell",
  lg: "hidden lg:table-cell",
  xl: "hidden xl:table-cell",
  // By the width of the table's container.
  "@2xl": "hidden @2xl:table-cell",
  "@4xl": "hidden @4xl:table-cell",
  "@6xl": "hidden @6xl:table-cell",
};

export type Column = {
  title: ReactNode;
  /** The narrowest width that shows the column; its cells must use the same. Defaults to every width. */
  from?: keyof typeof shownFrom;
  numeric?: boolean;
  /** Takes up the remaining width. */
  wide?: boolean;
  sort?: Sort;
  /** Explains the order, on hover. */
  hint?: string;
};

/** A column of buttons and menus: its heading is for screen readers only. */
export const actionsColumn = (from?: Column["from"], title = "Actions"): Column => ({
  title: <span className="sr-only">{title}</span>,
  ...(from && { from }),
});

/** Use `false` for a column hidden from this user or filter. */
export type Columns = readonly (Column | false)[];

/** The filters in the URL, as returned by `useListFilters`. */
export type ListState = {
  isFiltered: boolean;
  /** New rows are loading; the rows shown are the previous ones. */
  isChanging: boolean;
  /** Clears all filters. */
  reset: () => void;
  setPage: (page: number) => void;
};

/** For a list without filters. */
const whole: ListState = { isFiltered: false, isChanging: false, reset: () => {}, setPage: () => {} };

/** A page of a server-paginated list; pages count from 0. */
export type Page = { page: number; pageSize: number; totalCount: number };

export type ListProps<Row> = {
  /** The table's name for screen readers. */
  label: string;
  /** A noun for the rows: "tasks". */
  things: string;
  columns: Columns;
  rows: readonly Row[];
  /** Identifies a row, so that focus follows it when the order changes. */
  keyOf: (row: Row) => RowKey;
  /** The page a row opens. */
  hrefOf?: (row: Row) => string;
  /** Called when a row is opened, if it has no page. */
  onOpen?: (row: Row) => void;
  /** Omit if there are no filters or pages. */
  list?: ListState;
  /** For server-paginated lists. */
  page?: Page;
  /** Sorted by time: the pager says newer and older. */
  isNewestFirst?: boolean;
  /** When nothing exists yet. */
  empty: ReactNode;
  /** When nothing matches and the default message isn't enough. */
  noMatch?: ReactNode;
  /** Rows can be selected; their keys are then numbers, and `nameOf` names one for screen readers. */
  selection?: { of: Selection; nameOf: (row: Row) => string; bar: ReactNode } | undefined;
  /** Wraps each row, such as in its project. */
  around?: (row: Row, drawn: ReactNode) => ReactNode;
  children: (row: Row, props: RowProps) => ReactNode;
};

export function List<Row>({
  label,
  things,
  columns,
  rows: all,
  keyOf,
  hrefOf,
  onOpen,
  list = whole,
  page,
  isNewestFirst = false,
  empty,
  noMatch,
  selection,
  around = (_, drawn) => drawn,
  children,
}: ListProps<Row>) {
  const router = useRouter();
  const [drawn, setDrawn] = useState(rowsAtOnce);
  // Rows that load quickly should not make the previous ones flicker.
  const isWaiting = useHeldFor(list.isChanging, 300);
  const rows = page ? all : all.slice(0, drawn);
  const open = onOpen ?? (hrefOf && ((row: Row) => router.push(hrefOf(row))));
  const keys = useRowKeys({
    count: rows.length,
    ids: rows.map(keyOf),
    ...(selection && {
      onToggle: (index: number) => {
        const id = rows[index] === undefined ? null : Number(keyOf(rows[index]));
        if (id !== null)
          selection.of.toggle(
            id,
            rows.map((row) => Number(keyOf(row))),
          );
      },
    }),
    ...(open && {
      onOpen: (index: number) => {
        const row = rows[index];
        if (row !== undefined) open(row);
      },
    }),
  });
  const select = selection?.of;
  const rowIds = select ? rows.map((row) => Number(keyOf(row))) : [];
  const propsOf = (row: Row, index: number): RowProps => {
    const props = keys.row(index);
    if (!selection) return props;
    const id = Number(keyOf(row));
    const isSelected = selection.of.has(id);
    return {
      ...props,
      selected: isSelected,
      lead: (
        <Td className="w-8 pr-0 align-top">
          <span className="flex h-7 items-center">
            <SelectBox
              label={`Select ${selection.nameOf(row)}`}
              checked={isSelected}
              onToggle={(isRange) => selection.of.toggle(id, rowIds, isRange)}
            />
          </span>
        </Td>
      ),
    };
  };
  const selectedHere = rowIds.filter((id) => select?.has(id)).length;
  const dimmed = {
    "aria-busy": list.isChanging,
    className: cn("min-w-0 transition-opacity", isWaiting && "opacity-60"),
  };
  if (rows.length === 0) {
    if (page && page.totalCount > 0)
      return (
        <Empty
          title="This page of the list is empty"
          action={
            <Button onClick={() => list.setPage(0)}>
              {isNewestFirst ? "Show the newest" : "Show the first page"}
            </Button>
          }
        />
      );
    // After clearing filters that had no matches, rows may still be loading.
    if (!list.isFiltered) return list.isChanging ? null : empty;
    return (
      <div {...dimmed}>
        {noMatch || (
          <Empty
            title={`No ${things} match these filters`}
            action={<Button onClick={list.reset}>Clear filters</Button>}
          />
        )}
      </div>
    );
  }
  return (
    <div {...dimmed}>
      <Table label={label}>
        <Thead>
          <tr>
            {select && (
              <Th className="w-8 pr-0">
                <SelectBox
                  label="Select the rows of this page"
                  checked={selectedHere === rowIds.length}
                  isSome={selectedHere > 0}
                  onToggle={() => select.set(rowIds, selectedHere < rowIds.length)}
                />
              </Th>
            )}
            {columns.map(
              (column, index) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
                column && <Heading key={index} {...column} />,
            )}
          </tr>
        </Thead>
        <tbody>
          {rows.map((row, index) => (
            <Fragment key={keyOf(row)}>{around(row, children(row, propsOf(row, index)))}</Fragment>
          ))}
        </tbody>
      </Table>
      {page ? (
        <Pager
          page={page.page}
          pageSize={page.pageSize}
          total={page.totalCount}
          onPageChange={list.setPage}
          {...(isNewestFirst && { previous: "Newer", next: "Older" })}
        />
      ) : (
        all.length > rows.length && (
          <div className="pt-3">
            <Button onClick={() => setDrawn(drawn + rowsAtOnce)}>
              Show {Math.min(rowsAtOnce, all.length - rows.length)} more
            </Button>
          </div>
        )
      )}
      {select && select.ids.length > 0 && selection?.bar}
    </div>
  );
}

function Heading({ title, from, numeric = false, wide = false, sort, hint }: Column) {
  return (
    <Th
      numeric={numeric}
      className={cn(from && shownFrom[from], wide && "w-full")}
      {...(sort && { sort })}
      {...(hint && { title: hint })}
    >
      {title}
    </Th>
  );
}
