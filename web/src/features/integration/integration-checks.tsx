import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import type { IntegrationCheck, IntegrationCheckName } from './integration-api.ts';
import styles from './integration.module.css';

const checkTexts: Readonly<Record<IntegrationCheckName, { readonly title: string; readonly step: string; readonly way: string }>> = {
  key_used: { title: 'Key used', step: 'keys', way: 'Create key' },
  tag_found: { title: 'Script tag on the landing page', step: 'script', way: 'Look at the page' },
  link_opened: { title: 'Test link opened', step: 'test', way: 'Make a test link' },
  test_order: { title: 'Test order posted', step: 'test', way: 'See how' },
  tracking_on: { title: 'Tracking on', step: 'test', way: 'See how' },
  refund_tested: { title: 'Refund tested', step: 'later', way: 'See how' },
};

/** The integration checks. Only the first one that has not passed links to its step, for people who may change it. */
export function IntegrationChecks({ lights, mayChange }: { readonly lights: readonly IntegrationCheck[]; readonly mayChange: boolean }) {
  const next = lights.find(({ is_on: isOn }) => !isOn)?.light;
  const onCount = lights.filter(({ is_on: isOn }) => isOn).length;
  return (
    <Section title="What is proved" intro={`${onCount} of ${lights.length} lights are on.`}>
      <ul className={styles.lights}>
        {lights.map(({ light, is_on: isOn, seen, at }) => (
          <li key={light} className={styles.light} data-on={isOn || undefined}>
            <span className={styles.lamp} aria-hidden="true" />
            <div className={styles.words}>
              <strong>{checkTexts[light].title}</strong>
              <span className={styles.aloud}>{isOn ? ': on. ' : ': off. '}</span>
              <div className={styles.seen}>
                {seen} {at !== null && <Time at={at} />}
              </div>
            </div>
            {mayChange && light === next && (
              <a className={styles.way} href={`#${checkTexts[light].step}`}>
                {checkTexts[light].way}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
