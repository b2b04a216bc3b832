import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { SelectInput, TextInput } from '../../ui/inputs.tsx';
import { useState, type KeyboardEvent } from 'react';
import { api } from '../../api/client.ts';
import type { LeadRule, LeadSimulation } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formError } from '../../ui/form.tsx';
import { formatDollars } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { termsQuery } from './programs-api.ts';
import styles from './simulator.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

type ProgramProps = { readonly store: string; readonly program: string };
type LeadSimulatorProps = ProgramProps & { readonly leads: readonly LeadRule[] };

/** Nothing for a program whose last terms pay no leads. */
export function LeadSimulatorSection(props: ProgramProps) {
  const versions = useInfiniteQuery(termsQuery(props.store, props.program));
  const leads = versions.data?.pages[0]?.data[0]?.leads ?? [];
  if (leads.length === 0) return null;
  return (
    <Section title={t.lead_simulator.title} intro={t.lead_simulator.what_a_lead_earns}>
      <LeadSimulator {...props} leads={leads} />
    </Section>
  );
}

type SimulatedLead = { readonly kind: string; readonly hasClick: boolean; readonly discountCode: string; readonly paid: string };

/** "A lead of the kind sign_up earns …", computed by the decision for real leads. */
function LeadSimulator({ store, program, leads }: LeadSimulatorProps) {
  const [lead, setLead] = useState<SimulatedLead>({ kind: leads[0]?.kind ?? '', hasClick: true, discountCode: '', paid: '' });
  const [result, setResult] = useState<LeadSimulation | null>(null);
  const change = (part: Partial<SimulatedLead>) => {
    setLead((before) => ({ ...before, ...part }));
    // The result belongs to another lead.
    setResult(null);
  };
  const simulate = useMutation({
    mutationFn: async () => {
      setResult(null);
      setResult(await api.post(apiPath('/stores/{store}/programs/{program}/simulate-lead', { store, program }), simulationBody(lead)));
    },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !simulate.isPending) simulate.mutate();
  };
  return (
    <div className={styles.simulator} role="group" aria-label={t.lead_simulator.simulate_a_lead}>
      <div className={styles.fields}>
        <TextInput
          label={t.terms_leads.kind}
          value={lead.kind}
          onKeyDown={onKeyDown}
          onChange={(event) => change({ kind: event.currentTarget.value })}
        />
        <SelectInput
          label={t.simulator.click}
          value={lead.hasClick ? 'yes' : 'no'}
          onChange={(event) => change({ hasClick: event.currentTarget.value === 'yes' })}
          data={[
            { value: 'yes', label: t.simulator.with_click },
            { value: 'no', label: t.simulator.without_click },
          ]}
        />
        <TextInput
          label={t.simulator.discount_code}
          value={lead.discountCode}
          onKeyDown={onKeyDown}
          onChange={(event) => change({ discountCode: event.currentTarget.value })}
        />
        <TextInput
          label={t.lead_simulator.paid_in_month}
          description={t.lead_simulator.paid_in_month_hint}
          inputMode="numeric"
          value={lead.paid}
          onKeyDown={onKeyDown}
          onChange={(event) => change({ paid: event.currentTarget.value })}
        />
      </div>
      <div>
        <Button variant="default" size="xs" loading={simulate.isPending} onClick={() => simulate.mutate()}>
          {t.lead_simulator.simulate}
        </Button>
      </div>
      <ErrorAlert error={simulate.error} />
      {result && <LeadResult result={result} />}
    </div>
  );
}

const LeadResult = ({ result: { commission_cents: cents, explanation, ...end } }: { readonly result: LeadSimulation }) => (
  <div className={styles.result} role="status" data-good={cents !== null || undefined}>
    <p className={styles.amount}>
      {cents === null
        ? t.simulator.no_commission({ status: end.status, reason: end.reason })
        : t.simulator.usd({ cents: formatDollars(cents) })}
    </p>
    {end.creator_name !== null && <p>{t.simulator.earned_by({ creator: end.creator_name })}</p>}
    <p>{localizeTimes(explanation)}</p>
  </div>
);

function simulationBody({ kind, hasClick, discountCode, paid }: SimulatedLead) {
  if (kind === '') throw formError(t.lead_simulator.enter_a_kind);
  if (!/^\d{0,6}$/.test(paid)) throw formError(t.lead_simulator.enter_a_number);
  return {
    kind,
    ...(!hasClick && { clicked_at: null }),
    ...(discountCode.trim() !== '' && { discount_code: discountCode.trim() }),
    ...(paid !== '' && { paid_in_month: Number(paid) }),
  };
}
