import { useEffect, useRef, useState } from 'react';

const typingMs = 350;

export type Typing = {
  /** What stands in the field. */
  readonly typed: string;
  /** Shows what was typed, and asks for it once the typing pauses. `null`: it is not whole yet, and nothing is asked. */
  readonly type: (text: string, wanted: string | null) => void;
  /** Asks without waiting for the pause; what could not be asked gives way to what was. */
  readonly end: () => void;
};

/**
 * A field whose value stands in the address, which changes a moment later than somebody types. What is typed stays in the field
 * until the address says something that was not asked here: by the way back, or because a link led to it.
 */
export function useTyping(value: string, change: (text: string) => void): Typing {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [asked, setAsked] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<string | null>(null);
  // By the end of the pause other fields may have changed the address: what is asked then goes by that.
  const ask = useRef(change);
  useEffect(() => {
    ask.current = change;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  if (known !== value) {
    setKnown(value);
    if (value !== asked) {
      setAsked(value);
      setTyped(value);
    }
  }
  const askNow = () => {
    clearTimeout(timer.current);
    if (waiting.current === null) return;
    setAsked(waiting.current);
    ask.current(waiting.current);
    waiting.current = null;
  };
  const type = (text: string, wanted: string | null) => {
    setTyped(text);
    waiting.current = wanted;
    clearTimeout(timer.current);
    if (wanted !== null) timer.current = setTimeout(askNow, typingMs);
  };
  const end = () => {
    if (waiting.current === null) setTyped(asked);
    else askNow();
  };
  return { typed, type, end };
}
