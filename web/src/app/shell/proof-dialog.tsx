import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { setApiHandlers } from '../../api/client.ts';

/** Loads on first use, because most visits never ask for a proof. */
const ProofForm = lazy(async () => ({ default: (await import('./proof-form.tsx')).ProofForm }));

/** Opens when the service answers `proof_required`. Once the person has proved their identity, the pending requests continue. */
export function ProofDialog() {
  const [asked, setAsked] = useState<'never' | 'now' | 'before'>('never');
  /** Several requests may be rejected at the same time: one proof answers all of them. */
  const pendingRequests = useRef<ReadonlyArray<(proved: boolean) => void>>([]);

  useEffect(() => {
    setApiHandlers({
      askForProof: () =>
        new Promise<boolean>((resolve) => {
          pendingRequests.current = [...pendingRequests.current, resolve];
          setAsked('now');
        }),
    });
    return () => setApiHandlers({ askForProof: async () => false });
  }, []);

  const end = (proved: boolean) => {
    setAsked('before');
    for (const answer of pendingRequests.current) answer(proved);
    pendingRequests.current = [];
  };
  if (asked === 'never') return null;
  return (
    <Suspense>
      <ProofForm opened={asked === 'now'} end={end} />
    </Suspense>
  );
}
