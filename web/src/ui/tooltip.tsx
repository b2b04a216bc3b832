import { cloneElement, useId, useLayoutEffect, useRef, useState, type ReactElement } from 'react';
import { createPortal } from 'react-dom';
import { placeBeside } from './place-beside.ts';
import styles from './floating.module.css';

type TargetProps = { readonly 'aria-describedby'?: string | undefined };
type TooltipProps = { readonly label: string; readonly children: ReactElement<TargetProps> };

/** Explains an element while the pointer is over it, while it has the focus, and after a tap. Escape hides it. */
export function Tooltip({ label, children }: TooltipProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const hide = () => setAnchor(null);
  return (
    // The element inside has the role and the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <span
      className={styles.target}
      onPointerEnter={({ currentTarget }) => setAnchor(currentTarget.firstElementChild)}
      onPointerLeave={hide}
      onFocus={({ currentTarget }) => setAnchor(currentTarget.firstElementChild)}
      onBlur={hide}
      onKeyDown={({ key }) => key === 'Escape' && hide()}
    >
      {cloneElement(children, anchor === null ? {} : { 'aria-describedby': id })}
      {anchor !== null && <Bubble id={id} label={label} anchor={anchor} />}
    </span>
  );
}

function Bubble({ id, label, anchor }: { readonly id: string; readonly label: string; readonly anchor: Element }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) placeBeside(anchor, box.current, 'top-center');
  });
  return createPortal(
    <div ref={box} id={id} role="tooltip" className={styles.tooltip}>
      {label}
    </div>,
    document.body,
  );
}
