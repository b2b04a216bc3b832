import { useId, useLayoutEffect, useRef, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useFocusInside, useOutsidePress } from './overlay.tsx';
import { placeBeside, type Placement } from './place-beside.ts';
import styles from './floating.module.css';

type OpenerProps = Pick<ComponentProps<'button'>, 'aria-haspopup' | 'aria-expanded' | 'aria-controls' | 'onClick' | 'ref'>;

type PopoverProps = {
  /** The name of the box, for screen readers. */
  readonly label: string;
  readonly placement: Placement;
  readonly renderButton: (props: OpenerProps) => ReactNode;
  readonly children: ReactNode;
};

/** A box beside a button. Escape and a press outside close it. */
export function Popover({ label, placement, renderButton, children }: PopoverProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      {renderButton({
        ref: opener,
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
        'aria-controls': id,
        onClick: () => setOpen(!isOpen),
      })}
      {isOpen && (
        <FloatingBox id={id} role="dialog" aria-label={label} anchor={opener} placement={placement} close={close}>
          {children}
        </FloatingBox>
      )}
    </>
  );
}

type FloatingBoxProps = ComponentProps<'div'> & {
  readonly anchor: { readonly current: HTMLElement | null };
  readonly placement: Placement;
  readonly close: () => void;
};

/** The opened box of a popover or a menu: it takes the focus, and returns it to the element that had it. */
export function FloatingBox({ anchor, placement, close, onKeyDown, className = '', ...props }: FloatingBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null && anchor.current !== null) placeBeside(anchor.current, box.current, placement);
  });
  const keepFocus = useFocusInside(box);
  useOutsidePress([box, anchor], close);
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    onKeyDown?.(event);
    if (event.defaultPrevented) return;
    if (event.key !== 'Escape') return keepFocus(event);
    event.preventDefault();
    close();
  };
  return createPortal(
    // Its role is among the props.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div {...props} ref={box} tabIndex={-1} className={`${styles.box} ${className}`} onKeyDown={onKey} />,
    document.body,
  );
}
