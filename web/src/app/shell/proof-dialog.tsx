import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { setApiHandlers } from '../../api/client.ts';

/** Loads on first use, because most visits never ask for a proof. */
const ProofForm = lazy(async () => ({ default: (await import('./proof-form.tsx')).ProofForm }));

/** Opens when the service answers `proof_required`. Once the person has proved their identity, the pending requests continue. */
export function ProofDialog() {
  const [stage, setStage] = useState<'closed' | 'open' | 'answered'>('closed');
  /** Several requests may be rejected at the same time: one proof answers all of them. */
  const pendingRequests = useRef<ReadonlyArray<(proved: boolean) => void>>([]);

  useEffect(() => {
    setApiHandlers({
      askForProof: () =>
        new Promise<boolean>((resolve) => {
          pendingRequests.current = [...pendingRequests.current, resolve];
          setStage('open');
        }),
    });
    return () => setApiHandlers({ askForProof: async () => false });
  }, []);

  const end = (proved: boolean) => {
    setStage('answered');
    for (const resolve of pendingRequests.current) resolve(proved);
    pendingRequests.current = [];
  };
  if (stage === 'closed') return null;
  return (
    <Suspense>
      <ProofForm opened={stage === 'open'} end={end} />
    </Suspense>
  );
}
