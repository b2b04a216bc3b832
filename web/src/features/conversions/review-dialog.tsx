import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Commission, CommissionTotals, HoldReason } from '../../api/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import dialog from '../../ui/dialog.module.css';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import { Form, type Values } from '../../ui/form.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { holdReasonOptions } from './commission-status-chips.tsx';
import { totalsPath, type ReviewAction } from './commissions-api.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { actionLabels, conversionCountText, effectiveFilter, type ReviewActionName } from './review-actions.ts';
import { needsBatches, type Review } from './use-review.tsx';

/** The rows to decide: those selected, or all that match. */
export type ReviewTarget = { readonly rows: readonly Commission[] } | { readonly filter: ConversionFilter };
export type ReviewDialogRequest = { readonly action: ReviewActionName; readonly target: ReviewTarget; readonly done?: () => void };

const reasonLengthMax = 500;
const noteLengthMax = 2_000;

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
  const { action, target } = request;
  const filter = 'filter' in target ? effectiveFilter(action, target.filter) : null;
  const totals = useQuery({ ...apiQuery(totalsPath(store, filter ?? {})), enabled: filter !== null, staleTime: 0 });
  if (filter !== null && totals.isError) return <ErrorAlert error={totals.error} onRetry={() => void totals.refetch()} />;
  if (filter !== null && !totals.isSuccess) return <LoadingSkeleton />;
  const decide = (values: Values) => {
    const decision = reviewAction(action, values);
    if ('rows' in target) return review.rows(decision, target.rows);
    return totals.data === undefined ? Promise.resolve() : review.all(decision, effectiveFilter(action, target.filter), totals.data);
  };
  return (
    <Form
      send={decide}
      done={() => {
        close();
        request.done?.();
      }}
      submit={actionLabels[action]}
      beside={
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      }
    >
      {filter !== null && totals.data && <AllMatchingSummary filter={filter} totals={totals.data} />}
      <ReasonFields action={action} />
    </Form>
  );
}

function reviewAction(action: ReviewActionName, values: Values): ReviewAction {
  if (action === 'approve' || action === 'release' || action === 'reopen') return { do: action };
  const note = values.text('note') || null;
  if (action === 'reject') return { do: action, reason: values.text('reason'), note };
  return { do: action, reason: values.option<HoldReason>('reason'), note };
}

function ReasonFields({ action }: { readonly action: ReviewActionName }) {
  if (action === 'approve' || action === 'release' || action === 'reopen') return null;
  return (
    <>
      {action === 'reject' ? (
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
