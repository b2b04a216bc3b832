import { Button } from '../../ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Terms, TermsChanges, TermsEffect } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import dialog from '../../ui/dialog.module.css';
import { downloadJson, notifyDownloadFailed } from '../../ui/export-buttons.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { subjectName, useRateSubjects } from './own-rates.ts';
import styles from './terms-changes.module.css';
import { t } from './messages.ts';

type VersionProps = { readonly store: string; readonly program: string; readonly terms: Pick<Terms, 'version' | 'own_rates'> };

/** Compares a version with the one that it replaced, and exports it. */
export function VersionChanges(props: VersionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { version } = props.terms;
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        aria-label={t.version_changes.compare_version({ version })}
        onClick={() => setIsOpen(true)}
        children={t.version_changes.compare}
      />
      <Dialog title={t.version_changes.changes_of_version({ version })} opened={isOpen} onClose={() => setIsOpen(false)}>
        {isOpen && <Comparison {...props} />}
      </Dialog>
    </>
  );
}

function Comparison({ store, program, terms: { version, own_rates: own } }: VersionProps) {
  const [withOwnRates, setWithOwnRates] = useState(true);
  const found = useQuery(
    apiQuery(apiPath('/stores/{store}/programs/{program}/terms-changes', { store, program }, { to: String(version) })),
  );
  const save = async () => {
    const path = apiPath(
      '/stores/{store}/programs/{program}/terms-file',
      { store, program },
      {
        version: String(version),
        own_rates: String(withOwnRates),
      },
    );
    downloadJson(await api.get(path), `terms-version-${version}.json`);
  };
  return (
    <QueryView query={found}>
      {(data) => (
        <>
          <ComparedChanges store={store} program={program} changes={data} />
          {own && (
            <Checkbox
              label={t.version_changes.with_own_rates}
              description={t.version_changes.own_rates_are_of_this_program}
              checked={withOwnRates}
              onChange={({ currentTarget }) => setWithOwnRates(currentTarget.checked)}
            />
          )}
          <div className={dialog.buttons}>
            <Button variant="default" onClick={() => void save().catch(notifyDownloadFailed)}>
              {t.version_changes.export_json}
            </Button>
          </div>
        </>
      )}
    </QueryView>
  );
}

type ComparedProps = { readonly store: string; readonly program: string; readonly changes: TermsChanges };

/** Groups and creators are named, and not by their IDs as in the API. */
export function ComparedChanges({ store, program, changes: { from_version: from, effect, changes, warnings, notice } }: ComparedProps) {
  const subjects = useRateSubjects(store, program);
  return (
    <>
      <p>
        {from === null ? t.version_changes.compared_with_no_terms : t.version_changes.compared_with_version({ version: from })}{' '}
        {effect === null ? t.version_changes.nothing_changed : <EffectChip effect={effect} />}
      </p>
      <ul className={styles.difference}>
        {changes.map(({ text, effect: of, owner_id: owner }) => (
          <li key={text}>
            <span className={styles.kind} data-is={effectColors[of]}>
              {effectLabels[of]}
            </span>
            <span>{owner === null ? text : text.replace(owner, subjectName(owner, subjects))}</span>
          </li>
        ))}
      </ul>
      {warnings.map(({ field, message }) => (
        <p key={field + message} role="note">
          {t.terms_tiers.warning({ tier: Number(field.split('.')[2]) + 1, message })}
        </p>
      ))}
      {notice && (
        <p role="note">
          {t.version_changes.creators_are_informed} <Time at={notice.effective_from} />
        </p>
      )}
    </>
  );
}

const effectColors = { better: 'new', worse: 'gone', depends: 'changed' } as const satisfies Readonly<Record<TermsEffect, string>>;
const effectLabels = { better: t.version_changes.better, worse: t.version_changes.worse, depends: t.version_changes.depends } as const;

function EffectChip({ effect }: { readonly effect: TermsEffect }) {
  switch (effect) {
    case 'better':
      return <Chip label={t.version_changes.better_for_creators} tone="good" meaning={t.version_changes.every_change_is_better} />;
    case 'worse':
      return <Chip label={t.version_changes.worse_for_creators} tone="bad" meaning={t.version_changes.every_change_is_worse} />;
    case 'depends':
      return <Chip label={t.version_changes.depends} tone="wait" meaning={t.version_changes.better_for_some} />;
  }
}
