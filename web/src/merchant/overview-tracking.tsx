import { Facts } from '../parts/facts.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import type { Overview } from './overview-api.ts';
import styles from './overview.module.css';
import { postbackAdvice } from './postback-advice.ts';
import { IntegrationChip, StoreChip, TrackingChip } from './store-chips.tsx';
import type { Store } from './stores-api.ts';

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
        <ul className={styles.refused}>
          {tracking.refused.map(({ reason, count }) => (
            <li key={reason}>
              <span className={styles.many}>{count.toLocaleString('en-GB')}</span>
              <span>
                <TextLink to="/stores/$store/tracking-log" params={params} search={{ reason }}>
                  {reason}
                </TextLink>
                <span className={styles.quiet}>{postbackAdvice[reason]}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
