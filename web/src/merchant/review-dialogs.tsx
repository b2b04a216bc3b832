import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dollarsOf } from '../parts/amounts.ts';
import { Dialog } from '../parts/dialog.tsx';
import dialog from '../parts/dialog.module.css';
import { SelectField, TextAreaField, TextField } from '../parts/fields.tsx';
import { Form, type Values } from '../parts/form.tsx';
import { totalOf } from '../parts/list-totals.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { holdChoices } from './commission-chips.tsx';
import { totalsPath, type Commission, type ReviewAction, type Totals } from './commissions-api.ts';
import type { ConversionFilter } from './list-search.ts';
import { goesInParts, type Reviewing } from './review-sending.tsx';

export type ReviewWay = ReviewAction['do'];
/** What is to be decided on: rows that were picked, or all that match. */
export type Target = { readonly rows: readonly Commission[] } | { readonly filter: ConversionFilter };
export type Asking = { readonly way: ReviewWay; readonly target: Target; readonly done?: () => void };

const verbs: Readonly<Record<ReviewWay, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  hold: 'Hold',
  release: 'Release',
  reopen: 'Reopen',
};
const reasonLengthMax = 500;
const noteLengthMax = 2_000;

/**
 * Reopening means another thing for what was approved than for what was rejected: of all that match it is asked for one of the two,
 * and never for what is pending already, of which it would only be said that it was reopened.
 */
export const mayDecideAll = (way: ReviewWay, { state }: ConversionFilter): boolean =>
  way !== 'reopen' || state === 'approved' || state === 'rejected';

/**
 * "All" never means more than one would think: where the list shows every state, approving and rejecting mean what is pending,
 * holding what is free and releasing what is held.
 */
function narrowed(way: ReviewWay, filter: ConversionFilter): ConversionFilter {
  if (way === 'reopen') return filter;
  if (way === 'hold') return { held: 'false', ...filter };
  return way === 'release' ? { held: 'true', ...filter } : { state: 'pending', ...filter };
}

type ReviewDialogProps = {
  readonly store: string;
  readonly asking: Asking | null;
  readonly reviewing: Reviewing;
  readonly close: () => void;
};

/** Asks for what a decision needs: a reason, or a yes to "all". */
export function ReviewDialog({ store, asking, reviewing, close }: ReviewDialogProps) {
  return (
    <Dialog title={asking === null ? '' : titleOf(asking)} opened={asking !== null} onClose={close}>
      {asking !== null && <ReviewForm store={store} asking={asking} reviewing={reviewing} close={close} />}
    </Dialog>
  );
}

function titleOf({ way, target }: Asking): string {
  if ('filter' in target) return `${verbs[way]} all that match?`;
  return `${verbs[way]} ${target.rows.length === 1 ? 'this conversion' : `these ${target.rows.length} conversions`}?`;
}

function ReviewForm({ store, asking, reviewing, close }: ReviewDialogProps & { readonly asking: Asking }) {
  const { way, target } = asking;
  const filter = 'filter' in target ? narrowed(way, target.filter) : null;
  const totals = useQuery({ ...reading<Totals>(totalsPath(store, filter ?? {})), enabled: filter !== null, staleTime: 0 });
  if (filter !== null && totals.isError) return <ProblemNote problem={totals.error} onRetry={() => void totals.refetch()} />;
  if (filter !== null && !totals.isSuccess) return <Waiting />;
  const decide = (values: Values) => {
    const action = actionOf(way, values);
    if ('rows' in target) return reviewing.rows(action, target.rows);
    return totals.data === undefined ? Promise.resolve() : reviewing.all(action, narrowed(way, target.filter), totals.data);
  };
  return (
    <Form
      send={decide}
      done={() => {
        close();
        asking.done?.();
      }}
      submit={verbs[way]}
      beside={
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      }
    >
      {filter !== null && totals.data && <WhatAll filter={filter} totals={totals.data} />}
      <WhyFields way={way} />
    </Form>
  );
}

function actionOf(way: ReviewWay, values: Values): ReviewAction {
  if (way === 'approve' || way === 'release' || way === 'reopen') return { do: way };
  return { do: way, reason: values.text('reason'), note: values.text('note') || null };
}

function WhyFields({ way }: { readonly way: ReviewWay }) {
  if (way === 'approve' || way === 'release' || way === 'reopen') return null;
  return (
    <>
      {way === 'reject' ? (
        <TextField
          name="reason"
          label="Reason"
          description="Stands in the history, and says why nothing is earned."
          placeholder="Order was returned"
          maxLength={reasonLengthMax}
          data-autofocus
        />
      ) : (
        <SelectField name="reason" label="Reason" data={[...holdChoices]} data-autofocus />
      )}
      <TextAreaField name="note" label="Note" description="For your own team." maxLength={noteLengthMax} optional />
    </>
  );
}

function WhatAll({ filter, totals }: { readonly filter: ConversionFilter; readonly totals: Totals }) {
  const held = filter.held === 'true' ? 'held' : filter.held === 'false' ? 'not held' : null;
  const only = [filter.state, held, filter.approves_itself_within_days && 'approving themselves'].filter(Boolean).join(', ');
  return (
    <div className={dialog.text}>
      <p>
        This is about <strong>{countWords(totals)}</strong> of the list that {totals.count === 1 ? 'is' : 'are'} {only || 'in it'}, with{' '}
        {totals.has_more && 'more than '}
        {dollarsOf(totals.amount_cents)} USD of commission.
      </p>
      {goesInParts(totals) && (
        <p>
          So many are decided part by part: you see how far it is, and can stop it. What was decided until then stays decided; “Undo” takes
          it back in the same way.
        </p>
      )}
    </div>
  );
}

export const countWords = (totals: Totals): string => totalOf(totals, 'conversion', 'conversions');
