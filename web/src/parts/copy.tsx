import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { Icon } from './icons.tsx';
import styles from './copy.module.css';

/** A value made to be taken elsewhere: a key, a link, a line of code. */
export function Copyable({ value, label, wrap = true }: { readonly value: string; readonly label: string; readonly wrap?: boolean }) {
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

export function CopyIcon({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <ActionIcon variant="subtle" color={copied ? 'river' : 'gray'} onClick={copy} aria-label={`Copy ${label}`}>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
            <span className={styles.aloud} role="status">
              {copied ? 'Copied' : ''}
            </span>
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function CopyTextButton({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />} onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}
