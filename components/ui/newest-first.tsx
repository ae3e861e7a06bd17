/** NewestFirst: a table of what has happened, its rows paged from the newest, and dimmed while others come. */
import type { ReactNode } from "react";
import { cn } from "./class-names.ts";
import { Pager } from "./pager.tsx";
import { Table, Thead } from "./table.tsx";

export function NewestFirst({
  label,
  head,
  children,
  isChanging,
  page: { page, pageSize, totalCount },
  setPage,
}: {
  label: string;
  /** The heads of the columns. */
  head: ReactNode;
  /** The rows. */
  children: ReactNode;
  isChanging: boolean;
  page: { page: number; pageSize: number; totalCount: number };
  setPage: (page: number) => void;
}) {
  return (
    <div aria-busy={isChanging} className={cn("transition-opacity", isChanging && "opacity-60")}>
      <Table label={label}>
        <Thead>
          <tr>{head}</tr>
        </Thead>
        <tbody>{children}</tbody>
      </Table>
      <Pager
        page={page}
        pageSize={pageSize}
        total={totalCount}
        onPageChange={setPage}
        previous="Newer"
        next="Older"
      />
    </div>
  );
}
