import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnnouncedTerms, Membership } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { language } from '../../messages/messages.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { useShortList } from '../../ui/list.tsx';
import { Section } from '../../ui/page.tsx';
import {
  attributionTexts,
  bonusTexts,
  leadRuleText,
  noticeTexts,
  orderRuleTexts,
  settingsTexts,
  subscriptionRuleText,
  tierTexts,
} from '../../ui/program-terms.ts';
import { apiQuery, refresh } from '../../ui/queries.ts';
import { formatTime } from '../../ui/time.tsx';
import { membershipsPath, useCreatorId } from './creator-api.ts';
import styles from './announced-terms.module.css';
import { t } from './messages.ts';

/** The announced terms of the programs that the creator has joined; nothing if there are none. */
export function AnnouncedTermsOfPrograms() {
  const memberships = useShortList(membershipsPath(useCreatorId())).rows;
  return memberships
    .filter(({ status }) => status === 'approved' || status === 'paused')
    .map((membership) => <AnnouncedTermsOfProgram key={membership.id} membership={membership} />);
}

function AnnouncedTermsOfProgram({ membership }: { readonly membership: Membership }) {
  const creator = useCreatorId();
  const found = useQuery(apiQuery(apiPath('/creators/{creator}/memberships/{member}/next-terms', { creator, member: membership.id })));
  const announced = found.data?.announced ?? null;
  if (announced === null || announced.changed.length === 0) return null;
  const { program_name: program, store_name: store } = membership;
  const [from, accepted, protect] = [formatTime(announced.effective_from), announced.accepted_at, announced.protect_click_days];
  const others = announced.changed.flatMap((field) => otherFields.get(field) ?? []);
  return (
    <Section
      title={t.announced_terms.title({ program })}
      intro={
        accepted === null ? t.announced_terms.intro({ store, day: from }) : t.announced_terms.accepted({ day: formatTime(accepted), from })
      }
      actions={accepted === null && <AcceptButton membership={membership} version={announced.version} />}
    >
      <div className={styles.columns}>
        <TermsColumn title={t.announced_terms.now} terms={announced.now} />
        <TermsColumn title={t.announced_terms.then({ day: from })} terms={announced.next} />
      </div>
      {others.length > 0 && <p>{t.announced_terms.also({ fields: listFormat.format(others) })}</p>}
      {protect !== null && accepted === null && <p>{t.announced_terms.protect({ days: protect })}</p>}
    </Section>
  );
}

const listFormat = new Intl.ListFormat(language, { type: 'conjunction' });

/** What the two columns show less clearly, or not at all. */
const otherFields: ReadonlyMap<AnnouncedTerms['changed'][number], string> = new Map([
  ['pays', t.announced_terms.field_pays],
  ['tiers', t.announced_terms.field_tiers],
  ['budget', t.announced_terms.field_budget],
  ['goals', t.announced_terms.field_goals],
  ['codes', t.announced_terms.field_codes],
  ['returning', t.announced_terms.field_returning],
  ['notice_days', t.announced_terms.field_notice_days],
]);

const levelTitles = {
  member: t.own_rates.level_member,
  group: t.own_rates.level_group,
  tier: t.own_rates.level_tier,
  program: t.own_rates.level_program,
} as const;

function TermsColumn({ title, terms }: { readonly title: string; readonly terms: AnnouncedTerms['now'] }) {
  const { pays, rates, leads, tiers, goals } = terms;
  return (
    <section>
      <h3>{title}</h3>
      {rates.map(({ level, order_rules: orders, subscription_rules: subscriptions }) => (
        <div key={level}>
          {rates.length > 1 && <p className={styles.level}>{levelTitles[level]}</p>}
          <TextList texts={[...orderRuleTexts(orders, { pays }), ...subscriptions.map(subscriptionRuleText)]} />
        </div>
      ))}
      <TextList
        texts={[
          ...leads.map(leadRuleText),
          ...(tiers ? tierTexts(tiers, terms) : []),
          ...bonusTexts(goals),
          ...attributionTexts(terms),
          ...settingsTexts(terms),
          ...noticeTexts(terms),
        ]}
      />
    </section>
  );
}

const TextList = ({ texts }: { readonly texts: readonly string[] }) => (
  <ul className={styles.list}>
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

function AcceptButton({ membership, version }: { readonly membership: Membership; readonly version: number }) {
  const creator = useCreatorId();
  const client = useQueryClient();
  const run = async () => {
    await api.post(apiPath('/creators/{creator}/memberships/{member}/accept-terms', { creator, member: membership.id }), { version });
    await refresh(client, apiPath('/creators/{creator}', { creator }));
  };
  return (
    <ConfirmButton
      label={t.announced_terms.accept}
      subject={membership.program_name}
      title={t.announced_terms.accept_title}
      confirm={t.announced_terms.accept}
      size="sm"
      run={run}
    >
      <p>{t.announced_terms.accept_text}</p>
    </ConfirmButton>
  );
}
