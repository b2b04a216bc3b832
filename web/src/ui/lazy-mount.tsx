import { Suspense, useEffect, useState, type ReactNode } from 'react';

type LazyMountProps = {
  readonly isNeeded: boolean;
  /**
   * Rendered once with `false` before it opens, so that the dialog stores the focused element and restores the focus when it closes.
   */
  readonly children: (mayOpen: boolean) => ReactNode;
};

/** Loads and mounts a component on first use and keeps it mounted, so that its closing transition runs. */
export function LazyMount({ isNeeded, children }: LazyMountProps) {
  const [wasNeeded, setWasNeeded] = useState(isNeeded);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  return wasNeeded && <Suspense children={<ClosedFirst>{children}</ClosedFirst>} />;
}

function ClosedFirst({ children }: Pick<LazyMountProps, 'children'>) {
  const [mayOpen, setMayOpen] = useState(false);
  // The second drawing is what this is for.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => setMayOpen(true), []);
  return children(mayOpen);
}
