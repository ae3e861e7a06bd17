"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Actor } from "@/server/actors/schema.ts";

/** One-click actions on an actor; each reports its result. */
export function useActorActions({ id, name }: Pick<Actor, "id" | "name">) {
  const utils = trpc.useUtils();
  const mutations = {
    think: trpc.actors.think.useMutation(),
    pause: trpc.actors.pause.useMutation(),
    resume: trpc.actors.resume.useMutation(),
  };
  const [acting, setActing] = useState<keyof typeof mutations | null>(null);
  const act = async (what: keyof typeof mutations, says: string) => {
    setActing(what);
    try {
      await mutations[what].mutateAsync({ id });
      toast.success(says);
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      // Also after a failure: someone else may have changed it first.
      await utils.actors.invalidate();
      setActing(null);
    }
  };
  return {
    acting,
    think: () => act("think", `“${name}” thinks`),
    pause: () => act("pause", `“${name}” is paused and does not think until resumed`),
    resume: () => act("resume", `“${name}” is active`),
  };
}

export type ActorActions = ReturnType<typeof useActorActions>;
