import { Suspense, useEffect, useState, type ReactNode } from 'react';

type OnceNeededProps = {
  readonly isNeeded: boolean;
  /** Drawn once with `false` before it may open: what opens notes then where the focus was, and gives it back when it closes. */
  readonly children: (mayOpen: boolean) => ReactNode;
};

/** What most visits never open: its code is fetched when it is needed first, and from then on it stays, so that it can close in peace. */
export function OnceNeeded({ isNeeded, children }: OnceNeededProps) {
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return wasNeeded && <Suspense children={<ClosedFirst>{children}</ClosedFirst>} />;
}

function ClosedFirst({ children }: Pick<OnceNeededProps, 'children'>) {
  const [mayOpen, setMayOpen] = useState(false);
  // The second drawing is what this is for.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => setMayOpen(true), []);
  return children(mayOpen);
}
