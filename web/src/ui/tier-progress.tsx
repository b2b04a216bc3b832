import type { Terms, TierProgress as Progress } from '../../../sdk/src/api-schema.ts';
import { formatUsd } from './format.ts';
import { t } from './messages.ts';
import { tierTexts } from './program-terms.ts';
import { formatDay } from './time.tsx';

type TierProgressProps = { readonly tiers: Progress; readonly pays: Terms['pays'] };

/** The tier of a creator, what is missing to the next one, and all tiers. */
export function TierProgress({ tiers, pays }: TierProgressProps) {
  const { current, next, measure, figure, period_start: start } = tiers;
  const amountOf = (value: Progress['figure']) => ({ measure, count: value, amount: formatUsd(value) });
  return (
    <section>
      <h3>{t.tiers.title}</h3>
      <p>
        <strong>
          {current === null ? t.tiers.none : t.tiers.current({ number: current.number, since: formatDay(current.reached_at) })}
        </strong>
      </p>
      <p>
        {t.tiers.counted({ ...amountOf(figure), since: formatDay(start) })}{' '}
        {next === null ? t.tiers.highest : t.tiers.next({ ...amountOf(next.missing), number: next.number })} {t.tiers.from_then_on}
      </p>
      <ol>
        {tierTexts(tiers, { pays }).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ol>
    </section>
  );
}
