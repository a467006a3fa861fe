/** Whether a key belongs to a text field, an IME composition, a dialog, a menu or a list. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing || event.keyCode === 229) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]") !== null
  );
}
