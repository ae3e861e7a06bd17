"use client";
import { useEffect } from "react";
import { Star as StarIcon } from "@/components/ui/icons.tsx";
import { useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { cn } from "../ui/class-names.ts";
import { toast } from "../ui/toaster.tsx";
import { pathOfThing, type Thing } from "./favorite-page.ts";
import { rememberPage } from "./recent-pages.ts";
import { useFavorites } from "./use-favorites.ts";

/** The star of a page: makes it a favorite. The page is remembered as opened lately. */
export function Star({ kind, id, name, schemaName, tableName }: Thing) {
  const { user } = useMe();
  const thing = { kind, id, ...(schemaName && tableName && { schemaName, tableName }) };
  const path = pathOfThing(thing);
  const { favorites } = useFavorites();
  const utils = trpc.useUtils();
  const set = trpc.favorites.set.useMutation({
    onSettled: () => utils.favorites.list.invalidate(),
    onError: (error) =>
      void toast.error("The favorite could not be saved", { description: messageOf(error) }),
  });
  const isStored = favorites?.some((each) => pathOfThing(each) === path) ?? false;
  const isFavorite = set.isPending ? set.variables.isFavorite : isStored;

  useEffect(() => {
    rememberPage(user.id, { kind, id, name, ...(schemaName && tableName && { schemaName, tableName }) });
  }, [user.id, kind, id, name, schemaName, tableName]);

  return (
    <button
      type="button"
      aria-pressed={isFavorite}
      aria-label="Favorite"
      title={isFavorite ? "Remove from favorites" : "Add to favorites, first in Ctrl K"}
      disabled={favorites === undefined}
      onClick={() => set.mutate({ ...thing, isFavorite: !isFavorite })}
      className="-mx-1 grid size-7 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink"
    >
      <StarIcon aria-hidden className={cn("size-4", isFavorite && "fill-current text-warning")} />
    </button>
  );
}
