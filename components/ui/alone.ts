import type { FormEvent } from "react";

/**
 * The submit handler of a form in a dialog that may be opened from within another form: React passes events on along
 * the component tree, so that without this the outer form would be submitted as well.
 */
export const alone =
  (submit: (event: FormEvent<HTMLFormElement>) => unknown) => (event: FormEvent<HTMLFormElement>) => {
    event.stopPropagation();
    void submit(event);
  };
