import { useQuery } from '@tanstack/react-query';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { creatorReading, useCreatorId } from './creator-api.ts';
import { CreatorName } from './creator-name.tsx';
import { PayoutMethodPart, PayoutMinimumPart } from './payout-method.tsx';
import { PaidYears, TaxDetailsPart } from './tax-details.tsx';
import { WantedMails } from './wanted-mails.tsx';

/** Where the money goes, what the tax office asks, and which mails come. */
export function CreatorSettings() {
  const id = useCreatorId();
  const creator = useQuery(creatorReading(id));
  return (
    <Page title="Settings" narrow>
      {creator.isPending && <Section title="How you are paid" children={<Waiting />} />}
      {creator.isError && <ProblemNote problem={creator.error} onRetry={() => void creator.refetch()} />}
      {creator.isSuccess && (
        <>
          <CreatorName creator={creator.data} />
          <PayoutMethodPart creator={creator.data} />
          <PayoutMinimumPart creator={creator.data} />
        </>
      )}
      <TaxDetailsPart creator={id} />
      <PaidYears creator={id} />
      <WantedMails creator={id} />
    </Page>
  );
}
