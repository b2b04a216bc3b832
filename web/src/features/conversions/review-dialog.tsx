import { Button } from '../../ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import type { Commission, CommissionTotals, HoldReason } from '../../../../sdk/src/api-schema.ts';
import { rich } from '../../messages/rich-text.tsx';
import { formatUsd } from '../../ui/format.ts';
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
import { t } from './messages.ts';

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
  if ('filter' in target) return t.review_dialog.all_matching_conversions({ action: actionLabels[action] });
  return t.review_dialog.these_conversions({ action: actionLabels[action], count: target.rows.length });
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
          {t.review_dialog.cancel}
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
          label={t.review_dialog.reason}
          description={t.review_dialog.the_creator_will_see_this}
          placeholder={t.review_dialog.order_was_returned}
          maxLength={reasonLengthMax}
          data-autofocus
        />
      ) : (
        <SelectField name="reason" label={t.review_dialog.reason} data={[...holdReasonOptions]} data-autofocus />
      )}
      <TextAreaField
        name="note"
        label={t.review_dialog.note}
        description={t.review_dialog.only_your_team_can_see}
        maxLength={noteLengthMax}
        optional
      />
    </>
  );
}

function AllMatchingSummary({ filter, totals }: { readonly filter: ConversionFilter; readonly totals: CommissionTotals }) {
  const held = filter.held === 'true' ? t.review_dialog.on_hold : filter.held === 'false' ? t.review_dialog.not_on_hold : null;
  const only = [filter.state, held, filter.approves_itself_within_days && t.review_dialog.scheduled_for_auto_approval]
    .filter(Boolean)
    .join(', ');
  return (
    <div className={dialog.text}>
      <p>
        {rich(
          t.review_dialog.applies_to({
            filter: only === '' ? 'all' : 'other',
            only,
            hasMore: totals.has_more ? 'true' : 'other',
            amount: formatUsd(totals.amount_cents),
          }),
          { count: <strong>{conversionCountText(totals)}</strong> },
        )}
      </p>
      {needsBatches(totals) && <p>{t.review_dialog.large_selections_are_processed_in}</p>}
    </div>
  );
}
