/**
 * Whether the text is in the clipboard now. Browsers have the one way only where a page came by https or from this very machine,
 * and a service may be reached by plain http: a key that is shown once must not be lost by that.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** By what the browser does itself when somebody selects text and presses the keys. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Beside what has the focus: a dialog keeps the focus within itself.
  (before?.parentElement ?? document.body).append(field);
  field.select();
  // Nothing else works there, and it will while pages are served so.
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
