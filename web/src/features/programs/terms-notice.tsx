import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Terms } from '../../../../sdk/src/api-schema.ts';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { FieldRow, TextField } from '../../ui/fields.tsx';
import { fieldError, type Values } from '../../ui/form.tsx';
import { apiQuery, refresh } from '../../ui/queries.ts';
import styles from './terms.module.css';
import { t } from './messages.ts';

/** The promise of a notice for later versions, and the protection of clicks before this one. */
export const NoticeFields = ({ former }: { readonly former: Terms | null }) => (
  <div className={styles.group}>
    <h3>{t.terms_notice.title}</h3>
    <p className={styles.note}>{t.terms_notice.explanation}</p>
    <FieldRow>
      <TextField
        name="notice_days"
        label={t.terms_notice.notice_days}
        description={t.terms_notice.notice_description}
        placeholder={t.terms_notice.none}
        inputMode="numeric"
        optional
        defaultValue={String(former?.notice_days ?? '')}
      />
      <TextField
        name="protect_click_days"
        label={t.terms_notice.protect_click_days}
        description={t.terms_notice.protect_description}
        placeholder={t.terms_notice.none}
        inputMode="numeric"
        optional
        defaultValue={String(former?.protect_click_days ?? '')}
      />
    </FieldRow>
  </div>
);

type Notice = Pick<Terms, 'notice_days' | 'protect_click_days'>;

export function parseNotice(values: Values): Notice {
  const [notice, protect] = [daysIn(values, 'notice_days'), daysIn(values, 'protect_click_days')];
  return { ...(notice !== null && { notice_days: notice }), ...(protect !== null && { protect_click_days: protect }) };
}

function daysIn(values: Values, name: string): number | null {
  const typed = values.text(name);
  if (typed === '') return null;
  if (!/^\d{1,3}$/.test(typed)) throw fieldError(name, t.terms_notice.must_be_days);
  return Number(typed);
}

export const protectionTexts = ({ protect_click_days: days }: Notice): readonly string[] =>
  days === undefined ? [] : [t.terms_notice.protected({ days })];

type ScheduledProps = { readonly store: string; readonly program: string; readonly version: number };

export function CancelVersion({ store, program, version }: ScheduledProps) {
  const client = useQueryClient();
  const run = async () => {
    await api.post(apiPath('/stores/{store}/programs/{program}/terms/cancel', { store, program }), { version });
    await refresh(client, apiPath('/stores/{store}/programs/{program}', { store, program }));
  };
  return (
    <ConfirmButton
      label={t.terms_notice.cancel}
      subject={t.terms_notice.cancel_version({ version })}
      variant="subtle"
      danger
      title={t.terms_notice.cancel_title({ version })}
      confirm={t.terms_notice.cancel_confirm}
      run={run}
    >
      <p>{t.terms_notice.cancel_text}</p>
    </ConfirmButton>
  );
}

const namesMax = 5;

/** Who accepted an announced version; nothing before the first one. */
export function Acceptances({ store, program, version }: ScheduledProps) {
  const found = useQuery(apiQuery(apiPath('/stores/{store}/programs/{program}/terms/acceptances', { store, program })));
  const names = (found.data?.acceptances ?? []).filter((one) => one.version === version).map(({ creator_name: name }) => name);
  if (names.length === 0) return null;
  const shown = `${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ', …' : ''}`;
  return <p className={styles.note}>{t.terms_notice.accepted({ count: names.length, names: shown })}</p>;
}
