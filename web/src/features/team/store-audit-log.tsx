import { useParams } from '@tanstack/react-router';
import { Page, Section } from '../../ui/page.tsx';
import { AuditLogTable } from '../access/audit-log-table.tsx';
import { storePath } from '../stores/stores-api.ts';

export function StoreAuditLog() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  return (
    <Page title="Audit log" intro="Every change in this store, by people and by keys, kept for ever.">
      <Section title="Changes" bare flush>
        <AuditLogTable path={`${storePath(store)}/audit-log`} />
      </Section>
    </Page>
  );
}
