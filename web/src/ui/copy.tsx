import { Button, IconButton } from './button.tsx';
import { Tooltip } from './tooltip.tsx';
import { useEffect, useRef, useState } from 'react';
import styles from './copy.module.css';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

/** A value to copy: a key, a link, a line of code. */
export function CopyableValue({ value, label, wrap = true }: { readonly value: string; readonly label: string; readonly wrap?: boolean }) {
  return (
    <div className={styles.copyable}>
      <code
        className={styles.value}
        data-wrap={wrap || undefined}
        tabIndex={wrap ? undefined : 0}
        role={wrap ? undefined : 'group'}
        aria-label={wrap ? undefined : label}
      >
        {value}
      </code>
      <CopyIcon value={value} label={label} />
    </div>
  );
}

type CopyResult = 'copied' | 'refused' | null;
const resultShownMs = 2_000;
const resultLabels = { copied: t.copy.copied, refused: t.copy.couldnt_copy_select_the_text } as const;

function useCopy(value: string): { readonly ended: CopyResult; readonly copy: () => void } {
  const [ended, setEnded] = useState<CopyResult>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    setEnded((await copyText(value)) ? 'copied' : 'refused');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setEnded(null), resultShownMs);
  };
  return { ended, copy: () => void copy() };
}

export function CopyIcon({ value, label }: { readonly value: string; readonly label: string }) {
  const { ended, copy } = useCopy(value);
  return (
    <Tooltip label={ended === null ? t.copy.copy({ label }) : resultLabels[ended]}>
      <IconButton color={ended === 'copied' ? 'accent' : 'gray'} onClick={copy} aria-label={t.copy.copy({ label })}>
        <Icon name={resultIcon(ended)} size={16} />
        <span className="visually-hidden" role="status">
          {ended === null ? '' : resultLabels[ended]}
        </span>
      </IconButton>
    </Tooltip>
  );
}

export function CopyTextButton({ value, label }: { readonly value: string; readonly label: string }) {
  const { ended, copy } = useCopy(value);
  return (
    <Button variant="default" leftSection={<Icon name={resultIcon(ended)} size={16} />} onClick={copy}>
      {ended === null ? label : resultLabels[ended]}
    </Button>
  );
}

const resultIcon = (ended: CopyResult) => (ended === null ? 'copy' : ended === 'copied' ? 'check' : 'alert');

/**
 * True when the text was copied. The Clipboard API needs https or localhost, and an installation may run on plain http: a secret that
 * is shown once must not be lost there.
 */
async function copyText(text: string): Promise<boolean> {
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
