import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import styles from './overlay.module.css';

type OverlayProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly kind: 'dialog' | 'drawer' | 'palette';
  readonly closesByButtonOnly?: boolean;
  /** Asked when it closes: the focus returns to the element that had it, unless the next page takes it. */
  readonly returnsFocus?: () => boolean;
} & ({ readonly 'aria-label': string } | { readonly 'aria-labelledby': string });

/** A box over the page that keeps the focus. Its content mounts when it opens. */
export const Overlay = ({ opened, ...props }: OverlayProps) => opened && <OpenedOverlay {...props} />;

/** The opened overlays, the topmost last. Escape closes only that one. */
const opened: object[] = [];

function OpenedOverlay({ onClose, children, kind, closesByButtonOnly = false, returnsFocus, ...name }: Omit<OverlayProps, 'opened'>) {
  const panel = useRef<HTMLDivElement>(null);
  const keepFocus = useFocusInside(panel, returnsFocus);
  useEscapeOfTopmost(closesByButtonOnly ? null : onClose);
  return createPortal(
    <div className={styles.overlay} data-kind={kind}>
      {/* For the pointer only: the keyboard has Escape and the close button. */}
      <div className={styles.backdrop} aria-hidden="true" onClick={closesByButtonOnly ? undefined : onClose} />
      {/* The keys of every element inside arrive here. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div {...name} ref={panel} role="dialog" aria-modal="true" tabIndex={-1} className={styles.panel} onKeyDown={keepFocus}>
        {children}
      </div>
    </div>,
    document.body,
  );
}

function useEscapeOfTopmost(close: (() => void) | null): void {
  const latest = useRef(close);
  useLayoutEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const self = {};
    opened.push(self);
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || opened.at(-1) !== self) return;
      event.preventDefault();
      latest.current?.();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      opened.splice(opened.indexOf(self), 1);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]';
const canHaveFocus = (element: HTMLElement): boolean => element.tabIndex >= 0 && element.checkVisibility();

/**
 * Moves the focus into a box when it mounts, to `data-autofocus` or its first element, and back when it unmounts. Returns the key handler
 * that keeps the focus inside.
 */
export function useFocusInside(box: RefObject<HTMLElement | null>, returnsFocus?: () => boolean) {
  // At the first rendering the content has not taken the focus yet.
  const [before] = useState(() => document.activeElement);
  const latest = useRef(returnsFocus);
  useLayoutEffect(() => {
    latest.current = returnsFocus;
  });
  const inside = () => [...(box.current?.querySelectorAll<HTMLElement>(focusable) ?? [])].filter(canHaveFocus);
  const enter = useRef(() => {
    if (box.current?.contains(document.activeElement)) return;
    (box.current?.querySelector<HTMLElement>('[data-autofocus]') ?? inside()[0] ?? box.current)?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    enter.current();
    return () => {
      const returns = latest.current?.() ?? true;
      if (returns && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [before]);
  return (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || event.defaultPrevented) return;
    const elements = inside();
    const [first, last] = [elements[0], elements.at(-1)];
    if (first === undefined || last === undefined) return event.preventDefault();
    const isAtStart = document.activeElement === first || document.activeElement === box.current;
    if (!(event.shiftKey ? isAtStart : document.activeElement === last)) return;
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  };
}

/** Calls `close` when something outside of the elements is pressed. */
export function useOutsidePress(elements: ReadonlyArray<RefObject<HTMLElement | null>>, close: () => void): void {
  const latest = useRef({ elements, close });
  useLayoutEffect(() => {
    latest.current = { elements, close };
  });
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      const isInside = latest.current.elements.some(({ current }) => target instanceof Node && current?.contains(target));
      if (!isInside) latest.current.close();
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, []);
}
