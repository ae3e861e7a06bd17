import type { ComponentProps } from "react";
import { MeanwhileNotice } from "../edits/meanwhile-notice.tsx";
import { Button } from "../ui/button.tsx";
import { DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { FormError } from "../ui/field.tsx";

const labels = {
  ...{ name: "Name", role: "Role", enabled: "Enabled" },
  ...{ isLimited: "Only some projects", projectRoles: "Roles in projects" },
};

/** The end of a form that edits a user or a service account: what others saved meanwhile, errors, and the buttons. */
export function AccountFormEnd({
  thing,
  meanwhile,
  onTake,
  error,
  isSubmitting,
}: Pick<ComponentProps<typeof MeanwhileNotice>, "thing" | "meanwhile" | "onTake"> & {
  error: string | undefined;
  isSubmitting: boolean;
}) {
  return (
    <>
      <MeanwhileNotice {...{ thing, meanwhile, labels, onTake }} />
      <FormError>{error}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isSubmitting}>
          Save
        </Button>
      </DialogFooter>
    </>
  );
}
