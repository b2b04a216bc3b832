import { useInfiniteQuery } from '@tanstack/react-query';
import type { PostbackKey, Program, Store } from '../../../../sdk/src/api-schema.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { usePermission, type Scope } from '../access/permissions.tsx';
import { postbackKeysQuery } from '../integration/postback-keys-api.ts';
import { programsQuery } from '../programs/programs-api.ts';
import { StepList, type Step } from '../../ui/step-list.tsx';
import { t } from './messages.ts';

/**
 * A step is done only by evidence; the list disappears when all are done. Links to forms that the person's role does not allow are not
 * shown.
 */
export function SetupSteps({ currentStore }: { readonly currentStore: Store }) {
  const keys = useInfiniteQuery(postbackKeysQuery(currentStore.id));
  const programs = useInfiniteQuery(programsQuery(currentStore.id));
  const may = usePermission(currentStore.id);
  if (!keys.isSuccess || !programs.isSuccess) return null;
  const steps = stepsOf(currentStore, may, {
    keys: keys.data.pages.flatMap(({ data }) => data),
    programs: programs.data.pages.flatMap(({ data }) => data),
  });
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Section title={t.setup_steps.get_started} intro={t.setup_steps.of_complete({ doneCount: done, steps: steps.length })}>
      <StepList steps={steps} complete={t.setup_steps.complete} />
    </Section>
  );
}

type Evidence = { readonly keys: readonly PostbackKey[]; readonly programs: readonly Program[] };

function stepsOf(currentStore: Store, may: (scope: Scope) => boolean, { keys, programs }: Evidence): readonly Step[] {
  const params = { store: currentStore.id };
  const integrationLink = (label: string) =>
    may('integration:write') && (
      <ButtonLink size="xs" to="/stores/$store/integration" params={params}>
        {label}
      </ButtonLink>
    );
  return [
    {
      title: t.setup_steps.create_a_postback_key,
      text: t.setup_steps.your_server_uses_it_to,
      isDone: keys.length > 0,
      action: integrationLink(t.setup_steps.create_key),
    },
    {
      title: t.setup_steps.send_the_first_postback,
      text: t.setup_steps.add_the_script_tag_to,
      isDone: currentStore.tracking_on || keys.some(({ last_used_at: used }) => used !== null),
      action: integrationLink(t.setup_steps.view_instructions),
    },
    {
      title: t.setup_steps.turn_on_tracking,
      text: t.setup_steps.tracking_turns_on_when,
      isDone: currentStore.tracking_on,
      action: integrationLink(t.setup_steps.create_a_test_link),
    },
    {
      title: t.setup_steps.create_a_program,
      text: t.setup_steps.set_the_attribution_window_and,
      isDone: programs.length > 0,
      action: may('programs:write') && (
        <ButtonLink size="xs" to="/stores/$store/new-program" params={params}>
          {t.setup_steps.create_a_program}
        </ButtonLink>
      ),
    },
    {
      title: t.setup_steps.set_terms_and_publish_the,
      text: t.setup_steps.set_what_creators_earn_publishing,
      isDone: programs.some(({ first_published_at: at }) => at !== null),
      action: may('programs:write') && (
        <ButtonLink size="xs" to="/stores/$store/programs" params={params}>
          {t.setup_steps.open_programs}
        </ButtonLink>
      ),
    },
  ];
}
