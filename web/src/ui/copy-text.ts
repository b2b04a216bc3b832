/**
 * True when the text was copied. The Clipboard API needs https or localhost, and an installation may run on plain http: a secret that
 * is shown once must not be lost there.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies through a text selection, as when the person presses the keys. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // The field must be next to the focused element: a dialog traps the focus.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  // `execCommand` is deprecated, but it is the only way on plain http.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
