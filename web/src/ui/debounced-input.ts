import { useEffect, useRef, useState } from 'react';

const debounceMs = 350;

export type DebouncedInput = {
  /** The text shown in the field. */
  readonly typed: string;
  /** Shows the typed text and applies `value` when the typing pauses. Null: the text is incomplete and is not applied. */
  readonly type: (text: string, wanted: string | null) => void;
  /** Applies the pending value immediately; incomplete text is replaced by the last applied value. */
  readonly flush: () => void;
};

/**
 * A field whose value is kept in the URL, which changes shortly after the typing. The typed text stays until the URL changes for
 * another reason, such as the back button or a link.
 */
export function useDebouncedInput(value: string, change: (text: string) => void): DebouncedInput {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [applied, setApplied] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<string | null>(null);
  // Other fields may change the URL during the pause: the change must start from the current one.
  const latestChange = useRef(change);
  useEffect(() => {
    latestChange.current = change;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  if (known !== value) {
    setKnown(value);
    if (value !== applied) {
      setApplied(value);
      setTyped(value);
    }
  }
  const applyNow = () => {
    clearTimeout(timer.current);
    if (pending.current === null) return;
    setApplied(pending.current);
    latestChange.current(pending.current);
    pending.current = null;
  };
  const type = (text: string, wanted: string | null) => {
    setTyped(text);
    pending.current = wanted;
    clearTimeout(timer.current);
    if (wanted !== null) timer.current = setTimeout(applyNow, debounceMs);
  };
  const end = () => {
    if (pending.current === null) setTyped(applied);
    else applyNow();
  };
  return { typed, type, flush: end };
}
