/** Whether a key belongs to what somebody writes, to the browser, or to a dialog or a menu that is open. */
export function isTyping({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true;
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null)
    return true;
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
