"use client";
/**
 * ListPage: a list with a header (count, filters, and add button) above it.
 * Filters appear only when there is something to filter.
 */
import type { ReactNode } from "react";
import { Empty } from "./empty.tsx";
import { formatNumber } from "./format.ts";
import { List, type ListProps, type ListState } from "./list.tsx";
import { PageHeader } from "./page-header.tsx";

export function ListPage<Row>({
  title,
  label = title,
  parent,
  count,
  filters,
  keepsFilters = false,
  actions,
  notices,
  empty,
  ...rest
}: Omit<ListProps<Row>, "label" | "empty" | "list"> & {
  title: string;
  list: ListState;
  /** The table's name for screen readers; defaults to the title. */
  label?: string;
  parent?: { href: string; label: string };
  /** Replaces the count. */
  count?: ReactNode;
  filters?: ReactNode;
  /** Keeps the filters visible when the list is empty. */
  keepsFilters?: boolean;
  actions?: ReactNode;
  /** Shown between the header and the list. */
  notices?: ReactNode;
  /** When nothing exists yet: what the page is for and the first step. */
  empty: Parameters<typeof Empty>[0];
}) {
  const { rows, page, list } = rest;
  const existing = page?.totalCount ?? rows.length;
  const isEmpty = existing === 0 && !list.isFiltered && !list.isChanging;
  return (
    <>
      <PageHeader
        title={title}
        {...(parent && { parent })}
        count={isEmpty ? undefined : (count ?? formatNumber(existing))}
        filters={(keepsFilters || !isEmpty) && filters}
        actions={actions}
      />
      {notices}
      <List {...rest} label={label} empty={<Empty {...empty} />} />
    </>
  );
}
