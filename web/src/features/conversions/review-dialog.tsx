import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatDollars } from '../../ui/amounts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import dialog from '../../ui/dialog.module.css';
import { SelectField, TextAreaField, TextField } from '../../ui/fields.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { totalText } from '../../ui/list-totals.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { holdReasonOptions } from './commission-status-chips.tsx';
import { totalsPath, type Commission, type ReviewAction, type CommissionTotals } from './commissions-api.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { needsBatches, type Review } from './use-review.tsx';

export type ReviewActionName = ReviewAction['do'];
/** The rows to decide: those selected, or all that match. */
export type ReviewTarget = { readonly rows: readonly Commission[] } | { readonly filter: ConversionFilter };
export type ReviewDialogRequest = { readonly action: ReviewActionName; readonly target: ReviewTarget; readonly done?: () => void };

const actionLabels: Readonly<Record<ReviewActionName, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  hold: 'Hold',
  release: 'Release',
  reopen: 'Reopen',
};
const reasonLengthMax = 500;
const noteLengthMax = 2_000;

/**
 * Reopening means different things for approved and rejected commissions, so "all" needs one of these two states. Pending ones cannot
 * be reopened.
 */
export const canDecideAll = (way: ReviewActionName, { state }: ConversionFilter): boolean =>
  way !== 'reopen' || state === 'approved' || state === 'rejected';

/**
 * Limits "all" to what people expect: without a state filter, approving and rejecting apply to pending commissions, holding to those
 * not on hold and releasing to those on hold.
 */
function effectiveFilter(way: ReviewActionName, filter: ConversionFilter): ConversionFilter {
  if (way === 'reopen') return filter;
  if (way === 'hold') return { held: 'false', ...filter };
  return way === 'release' ? { held: 'true', ...filter } : { state: 'pending', ...filter };
}

type ReviewDialogProps = {
  readonly store: string;
  readonly request: ReviewDialogRequest | null;
  readonly review: Review;
  readonly close: () => void;
};

/** Asks for the input of a decision: a reason, or the confirmation of "all". */
export function ReviewDialog({ store, request, review, close }: ReviewDialogProps) {
  return (
    <Dialog title={request === null ? '' : dialogTitle(request)} opened={request !== null} onClose={close}>
      {request !== null && <ReviewForm store={store} request={request} review={review} close={close} />}
    </Dialog>
  );
}

function dialogTitle({ action, target }: ReviewDialogRequest): string {
  if ('filter' in target) return `${actionLabels[action]} all that match?`;
  return `${actionLabels[action]} ${target.rows.length === 1 ? 'this conversion' : `these ${target.rows.length} conversions`}?`;
}

function ReviewForm({ store, request, review, close }: ReviewDialogProps & { readonly request: ReviewDialogRequest }) {
  const { action: way, target } = request;
  const filter = 'filter' in target ? effectiveFilter(way, target.filter) : null;
  const totals = useQuery({ ...apiQuery<CommissionTotals>(totalsPath(store, filter ?? {})), enabled: filter !== null, staleTime: 0 });
  if (filter !== null && totals.isError) return <ErrorAlert error={totals.error} onRetry={() => void totals.refetch()} />;
  if (filter !== null && !totals.isSuccess) return <LoadingSkeleton />;
  const decide = (values: Values) => {
    const action = reviewAction(way, values);
    if ('rows' in target) return review.rows(action, target.rows);
    return totals.data === undefined ? Promise.resolve() : review.all(action, effectiveFilter(way, target.filter), totals.data);
  };
  return (
    <Form
      send={decide}
      done={() => {
        close();
        request.done?.();
      }}
      submit={actionLabels[way]}
      beside={
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      }
    >
      {filter !== null && totals.data && <AllMatchingSummary filter={filter} totals={totals.data} />}
      <ReasonFields way={way} />
    </Form>
  );
}

function reviewAction(way: ReviewActionName, values: Values): ReviewAction {
  if (way === 'approve' || way === 'release' || way === 'reopen') return { do: way };
  return { do: way, reason: values.text('reason'), note: values.text('note') || null };
}

function ReasonFields({ way }: { readonly way: ReviewActionName }) {
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
        <SelectField name="reason" label="Reason" data={[...holdReasonOptions]} data-autofocus />
      )}
      <TextAreaField name="note" label="Note" description="For your own team." maxLength={noteLengthMax} optional />
    </>
  );
}

function AllMatchingSummary({ filter, totals }: { readonly filter: ConversionFilter; readonly totals: CommissionTotals }) {
  const held = filter.held === 'true' ? 'held' : filter.held === 'false' ? 'not held' : null;
  const only = [filter.state, held, filter.approves_itself_within_days && 'approving themselves'].filter(Boolean).join(', ');
  return (
    <div className={dialog.text}>
      <p>
        This is about <strong>{conversionCountText(totals)}</strong> of the list that {totals.count === 1 ? 'is' : 'are'} {only || 'in it'},
        with {totals.has_more && 'more than '}
        {formatDollars(totals.amount_cents)} USD of commission.
      </p>
      {needsBatches(totals) && (
        <p>
          So many are decided part by part: you see how far it is, and can stop it. What was decided until then stays decided; “Undo” takes
          it back in the same way.
        </p>
      )}
    </div>
  );
}

export const conversionCountText = (totals: CommissionTotals): string => totalText(totals, 'conversion', 'conversions');
