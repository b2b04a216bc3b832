import { useId, useRef, useState, type ComponentProps, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { FloatingBox } from './popover.tsx';
import { Icon, type IconName } from './icons.tsx';
import type { Placement } from './place-beside.ts';
import styles from './floating.module.css';

type MenuProps = {
  readonly placement: Placement;
  readonly button: (props: ComponentProps<'button'>) => ReactNode;
  readonly children: ReactNode;
};

/** A menu that is open when it mounts, because it loads when its button is pressed. The arrow keys move between its items. */
export function Menu({ placement, button: Opener, children }: MenuProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(true);
  const close = () => setOpen(false);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Tab') return close();
    const target = itemAfterKey(event.currentTarget, event.key);
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  };
  // Every item closes the menu.
  const onClick = ({ target }: MouseEvent) => target instanceof Element && target.closest('[role^="menuitem"]') !== null && close();
  return (
    <>
      <Opener ref={opener} id={id} aria-haspopup="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {isOpen && (
        <FloatingBox
          role="menu"
          aria-labelledby={id}
          className={styles.menu ?? ''}
          anchor={opener}
          placement={placement}
          close={close}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          {children}
        </FloatingBox>
      )}
    </>
  );
}

/** The item to which a key moves: an arrow, Home, End, or the first character of its name. */
function itemAfterKey(menu: HTMLElement, key: string): HTMLElement | undefined {
  const items = [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const current = items.findIndex((item) => item === document.activeElement);
  switch (key) {
    case 'ArrowDown':
      return items[(current + 1) % items.length];
    case 'ArrowUp':
      return items.at(current <= 0 ? -1 : current - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default:
      return key.length === 1 && key !== ' '
        ? [...items.slice(current + 1), ...items].find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()))
        : undefined;
  }
}

type ItemProps = { readonly icon?: IconName; readonly children: ReactNode };

export const MenuItem = ({
  icon,
  isCurrent = false,
  children,
  ...props
}: ItemProps & ComponentProps<'button'> & { readonly isCurrent?: boolean }) => (
  <button type="button" role="menuitem" tabIndex={-1} {...props} className={styles.item}>
    {icon !== undefined && <Icon name={icon} />}
    <span>{children}</span>
    {isCurrent && <Icon name="check" size={16} />}
  </button>
);

export const MenuLink = ({ icon, children, ...props }: ItemProps & ComponentProps<'a'>) => (
  <a role="menuitem" tabIndex={-1} {...props} className={styles.item}>
    {icon !== undefined && <Icon name={icon} />}
    <span>{children}</span>
  </a>
);

/** The title of a group of items. */
export const MenuLabel = ({ children }: { readonly children: ReactNode }) => <div className={styles.label}>{children}</div>;
export const MenuDivider = () => <hr className={styles.divider} />;

type ChoiceProps<Value extends string> = {
  /** The name of the group, for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: ReadonlyArray<readonly [value: Value, label: string]>;
  readonly onChange: (value: Value) => void;
  readonly inColumns?: boolean;
  /** The languages name themselves. */
  readonly langOf?: (value: Value) => string;
};

/** One of a few options, the chosen one with a check mark. */
export const MenuChoice = <Value extends string>({ label, value, options, onChange, inColumns = false, langOf }: ChoiceProps<Value>) => (
  <div role="group" aria-label={label}>
    <MenuLabel>{label}</MenuLabel>
    <div className={inColumns ? styles.columns : undefined}>
      {options.map(([option, name]) => (
        <button
          key={option}
          type="button"
          role="menuitemradio"
          aria-checked={option === value}
          tabIndex={-1}
          lang={langOf?.(option)}
          className={styles.item}
          onClick={() => onChange(option)}
        >
          <span className={styles.check}>{option === value && <Icon name="check" size={16} />}</span>
          <span>{name}</span>
        </button>
      ))}
    </div>
  </div>
);
