import { useQuery } from '@tanstack/react-query';
import type { CodeLeak } from '../../../../sdk/src/api-schema.ts';
import { Chip, StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { PauseCodeButton } from './code-actions.tsx';
import { codeLeaksPath } from './codes-api.ts';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

/** The default of the service. */
const days = 30;

/** Codes that may have leaked; hidden without any, which is the usual case. */
export function CodeLeaks({ store, mayChange }: { readonly store: string; readonly mayChange: boolean }) {
  const leaks = useQuery(apiQuery(codeLeaksPath(store))).data?.data ?? [];
  if (leaks.length === 0) return null;
  return (
    <Section title={t.code_leaks.title} intro={t.code_leaks.intro({ days })} flush>
      <Table caption={t.code_leaks.title} columns={columnsOf(store, mayChange)} rows={leaks} keyOf={({ code_id: id }) => id} />
    </Section>
  );
}

const suspicions: StatusTexts<CodeLeak['suspicion']> = {
  possible: [t.code_leaks.possible, 'wait', t.code_leaks.possible_means],
  likely: [t.code_leaks.likely, 'bad', t.code_leaks.likely_means],
};

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<CodeLeak>> => [
  { title: t.code_leaks.code, kind: 'name', priority: true, cell: ({ code }) => <span className="mono">{code}</span> },
  {
    title: t.code_leaks.owner,
    cell: ({ creator_id: creator, creator_name: name }) => (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator }}>
        {name}
      </TextLink>
    ),
  },
  { title: t.code_leaks.suspicion, priority: true, cell: ({ suspicion }) => <StatusChip texts={suspicions} state={suspicion} /> },
  { title: t.code_leaks.orders, kind: 'number', priority: true, cell: ({ orders }) => formats.number(orders) },
  { title: t.code_leaks.orders_before, kind: 'number', cell: ({ orders_before: before }) => formats.number(before) },
  { title: t.code_leaks.owner_clicks, kind: 'number', cell: ({ owner_clicks: clicks }) => formats.number(clicks) },
  { title: t.code_leaks.why, cell: ({ signals }) => signals.map((signal) => <div key={signal}>{t.code_leaks[signal]}</div>) },
  ...(mayChange
    ? [
        {
          title: t.code_leaks.change,
          kind: 'actions' as const,
          cell: ({ code_id: id, code, paused }: CodeLeak) =>
            paused ? (
              <Chip label={t.code_leaks.paused} tone="wait" meaning={t.code_state.paused_means} />
            ) : (
              <PauseCodeButton store={store} code={{ id, code }} />
            ),
        },
      ]
    : []),
];
