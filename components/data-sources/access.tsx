/** Whether a data source's login can write, which it shouldn't: the service only reads. */
import { Status } from "../ui/status.tsx";

export function Access({ canWrite }: { canWrite: boolean | null }) {
  if (canWrite === null) return <Status kind="neutral">Not known</Status>;
  return canWrite ? <Status kind="warning">Can write</Status> : <Status kind="ok">Only reads</Status>;
}
