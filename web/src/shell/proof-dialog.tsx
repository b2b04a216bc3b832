import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { listenToApi } from '../api.ts';

/** Most days nobody is asked: dialog and fields are fetched when somebody is, and weigh nothing on the first page. */
const ProofForm = lazy(async () => ({ default: (await import('./proof-form.tsx')).ProofForm }));

/** Opened by the service's `proof_required`, from wherever it came: once proved, what was asked goes on by itself. */
export function ProofDialog() {
  const [asked, setAsked] = useState<'never' | 'now' | 'before'>('never');
  /** Several requests may be refused at once: one proof is for all of them. */
  const answers = useRef<ReadonlyArray<(proved: boolean) => void>>([]);

  useEffect(() => {
    listenToApi({
      askForProof: () =>
        new Promise<boolean>((resolve) => {
          answers.current = [...answers.current, resolve];
          setAsked('now');
        }),
    });
    return () => listenToApi({ askForProof: async () => false });
  }, []);

  const end = (proved: boolean) => {
    setAsked('before');
    for (const answer of answers.current) answer(proved);
    answers.current = [];
  };
  if (asked === 'never') return null;
  return (
    <Suspense>
      <ProofForm opened={asked === 'now'} end={end} />
    </Suspense>
  );
}
