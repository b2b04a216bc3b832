import { apiPath } from '../../api/operations.ts';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { CreateCodeButton, type CodeOwner } from './code-form.tsx';
import { codeColumnsOfCreator } from './codes.tsx';
import { t } from './messages.ts';

type CodesOfCreatorProps = {
  readonly store: string;
  readonly creator: string;
  /** The approved memberships, for which codes can be created. */
  readonly owners: readonly CodeOwner[];
  readonly mayChange: boolean;
};

/** The discount codes of a creator, on the creator's page. */
export const CodesOfCreator = ({ store, creator, owners, mayChange }: CodesOfCreatorProps) => (
  <Section
    title={t.codes_page.codes_of_creator}
    intro={t.codes_page.codes_of_creator_intro}
    flush
    actions={mayChange && owners.length > 0 && <CreateCodeButton store={store} owners={owners} />}
  >
    <ShortList
      caption={t.codes_page.codes_of_creator}
      path={apiPath('/stores/{store}/codes', { store }, { creator_id: creator })}
      keyOf={({ id }) => id}
      columns={codeColumnsOfCreator(store, mayChange)}
      empty={<EmptyState title={t.codes_page.no_codes_of_creator}>{t.codes_page.create_one_for_creator}</EmptyState>}
    />
  </Section>
);
