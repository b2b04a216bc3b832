import { lazy, Suspense } from 'react';
import { Facts } from '../parts/facts.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Section } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { Overview } from './overview-api.ts';
import styles from './overview.module.css';
import { IntegrationChip, StoreChip, TrackingChip } from './store-chips.tsx';
import type { Store } from './stores-api.ts';

/** Advice for every reason is long, and most stores have none refused: it is fetched where there is one. */
const RefusedReasons = lazy(async () => ({ default: (await import('./refused-reasons.tsx')).RefusedReasons }));

type OverviewTrackingProps = { readonly shop: Store; readonly tracking: Overview['tracking'] };

/** Whether clicks and orders find each other, and what the shop's server was refused for. */
export function OverviewTracking({ shop, tracking }: OverviewTrackingProps) {
  const params = { store: shop.id };
  return (
    <Section
      title="Tracking"
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={params}>
          Integration
        </ButtonLink>
      }
    >
      <Facts
        facts={[
          ['Store', <StoreChip key="s" status={tracking.status} />],
          ['Integration', <IntegrationChip key="i" integration={shop.integration} />],
          ['Tracking', <TrackingChip key="t" isOn={tracking.tracking_on} />],
          ['Last request', tracking.last_postback_at === null ? 'none yet' : <Time key="l" at={tracking.last_postback_at} />],
        ]}
      />
      <h3 className={styles.part}>Refused in the last seven days</h3>
      {tracking.refused.length === 0 ? (
        <p className={styles.quiet}>Nothing was refused.</p>
      ) : (
        <Suspense fallback={<Waiting />}>
          <RefusedReasons store={shop.id} refused={tracking.refused} />
        </Suspense>
      )}
    </Section>
  );
}
