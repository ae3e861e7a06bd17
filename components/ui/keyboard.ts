/** Whether a key press should be ignored: someone is typing in a field, or a dialog or menu is open. */
export function isTypingElsewhere(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as HTMLElement | null;
  if (target?.closest("input, textarea, select, [contenteditable=true], [role=combobox], .cm-editor"))
    return true;
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") !== null;
}
