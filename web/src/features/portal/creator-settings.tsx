import { useQuery } from '@tanstack/react-query';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { creatorQuery, useCreatorId } from './creator-api.ts';
import { CreatorName } from './creator-name.tsx';
import { PayoutMethodSection, PayoutMinimumSection } from './payout-method.tsx';
import { PaidYears, TaxDetailsSection } from './tax-details.tsx';
import { EmailPreferences } from './email-preferences.tsx';

/** Payout method, tax details, and email preferences. */
export function CreatorSettings() {
  const id = useCreatorId();
  const creator = useQuery(creatorQuery(id));
  return (
    <Page title="Settings" narrow>
      {creator.isPending && <Section title="How you are paid" children={<LoadingSkeleton />} />}
      {creator.isError && <ErrorAlert error={creator.error} onRetry={() => void creator.refetch()} />}
      {creator.isSuccess && (
        <>
          <CreatorName creator={creator.data} />
          <PayoutMethodSection creator={creator.data} />
          <PayoutMinimumSection creator={creator.data} />
        </>
      )}
      <TaxDetailsSection creator={id} />
      <PaidYears creator={id} />
      <EmailPreferences creator={id} />
    </Page>
  );
}
