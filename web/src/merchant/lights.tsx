import { Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import type { Light, LightName } from './integration-api.ts';
import styles from './integration.module.css';

const words: Readonly<Record<LightName, { readonly title: string; readonly step: string; readonly way: string }>> = {
  key_used: { title: 'Key used', step: 'keys', way: 'Make a key' },
  tag_found: { title: 'Script tag on the landing page', step: 'script', way: 'Look at the page' },
  link_opened: { title: 'Test link opened', step: 'test', way: 'Make a test link' },
  test_order: { title: 'Test order posted', step: 'test', way: 'See how' },
  tracking_on: { title: 'Tracking on', step: 'test', way: 'See how' },
  refund_tested: { title: 'Refund tested', step: 'later', way: 'See how' },
};

/** Six lights, which only evidence switches on. Only the first that is off says where to go, to whoever may: one thing at a time. */
export function Lights({ lights, mayChange }: { readonly lights: readonly Light[]; readonly mayChange: boolean }) {
  const next = lights.find(({ is_on: isOn }) => !isOn)?.light;
  const onCount = lights.filter(({ is_on: isOn }) => isOn).length;
  return (
    <Section title="What is proved" intro={`${onCount} of ${lights.length} lights are on.`}>
      <ul className={styles.lights}>
        {lights.map(({ light, is_on: isOn, seen, at }) => (
          <li key={light} className={styles.light} data-on={isOn || undefined}>
            <span className={styles.lamp} aria-hidden="true" />
            <div className={styles.words}>
              <strong>{words[light].title}</strong>
              <span className={styles.aloud}>{isOn ? ': on. ' : ': off. '}</span>
              <div className={styles.seen}>
                {seen} {at !== null && <Time at={at} />}
              </div>
            </div>
            {mayChange && light === next && (
              <a className={styles.way} href={`#${words[light].step}`}>
                {words[light].way}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
