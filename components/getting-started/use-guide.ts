"use client";
import { useProjectInput } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { toast } from "../ui/toaster.tsx";

/** How far the user has got in the selected project. While a scan runs, it is asked often. */
export function useGuide() {
  const project = useProjectInput();
  const [guide] = trpc.gettingStarted.guide.useSuspenseQuery(project, {
    refetchInterval: ({ state: { data } }) => (data?.scan?.status === "Running" ? 1500 : 30_000),
  });
  return guide;
}

/** Skips steps, dismisses the checklist, and takes both back. */
export function useGuideChoices() {
  const project = useProjectInput();
  const utils = trpc.useUtils();
  const options = {
    onSuccess: (guide: Parameters<typeof utils.gettingStarted.guide.setData>[1]) =>
      utils.gettingStarted.guide.setData(project, guide),
    onError: (error: unknown) =>
      void toast.error("That could not be saved", { description: messageOf(error) }),
  };
  const skip = trpc.gettingStarted.skip.useMutation(options);
  const dismiss = trpc.gettingStarted.dismiss.useMutation(options);
  return {
    isPending: skip.isPending || dismiss.isPending,
    skip: skip.mutateAsync,
    dismiss: dismiss.mutateAsync,
    /** After a step has created something. */
    refresh: () => utils.gettingStarted.invalidate(),
    reload: () => utils.gettingStarted.guide.fetch(project, { staleTime: 0 }),
    project,
  };
}
