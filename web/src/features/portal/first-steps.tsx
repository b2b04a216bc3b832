import { useQuery } from '@tanstack/react-query';
import type { FirstSteps as DoneSteps } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { StepList, type Step } from '../../ui/step-list.tsx';
import { t } from './messages.ts';

/** What a new creator has to do to earn. A step is done only by evidence; the list disappears when all are done. */
export function FirstSteps({ creator }: { readonly creator: string }) {
  const found = useQuery(apiQuery(apiPath('/creators/{creator}/first-steps', { creator })));
  if (!found.isSuccess) return null;
  const steps = stepsOf(found.data);
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Section title={t.creator_home.get_started} intro={t.first_steps.of_complete({ done, steps: steps.length })}>
      <StepList steps={steps} complete={t.first_steps.complete} />
    </Section>
  );
}

const stepsOf = (done: DoneSteps): readonly Step[] => [
  {
    title: t.first_steps.program,
    text: t.creator_home.open_the_program_page_that,
    isDone: done.program,
    action: (
      <ButtonLink size="xs" to="/creator/programs">
        {t.creator_home.view_programs}
      </ButtonLink>
    ),
  },
  {
    title: t.first_steps.link,
    text: t.first_steps.link_text,
    isDone: done.link,
    action: (
      <ButtonLink size="xs" to="/creator/links">
        {t.first_steps.open_links}
      </ButtonLink>
    ),
  },
  {
    title: t.first_steps.payout_method,
    text: t.first_steps.payout_method_text,
    isDone: done.payout_method,
    action: (
      <ButtonLink size="xs" to="/creator/settings">
        {t.first_steps.open_settings}
      </ButtonLink>
    ),
  },
  {
    title: t.first_steps.click,
    text: t.first_steps.click_text,
    isDone: done.click,
    action: (
      <ButtonLink size="xs" to="/creator/links">
        {t.first_steps.open_links}
      </ButtonLink>
    ),
  },
  {
    title: t.first_steps.sale,
    text: t.first_steps.sale_text,
    isDone: done.sale,
    action: (
      <ButtonLink size="xs" to="/creator/assets">
        {t.first_steps.open_assets}
      </ButtonLink>
    ),
  },
];
