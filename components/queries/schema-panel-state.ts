const key = "plumbline:tables-panel";

/** Whether the tables were shown beside the last editor in this browser. Blocked storage counts as no. */
export function isPanelOpen(storage: () => Storage = () => localStorage): boolean {
  try {
    return storage().getItem(key) === "open";
  } catch {
    return false;
  }
}

export function rememberPanel(isOpen: boolean, storage: () => Storage = () => localStorage): void {
  try {
    if (isOpen) storage().setItem(key, "open");
    else storage().removeItem(key);
  } catch {
    // Storage is blocked: it is shown until the page is left.
  }
}
