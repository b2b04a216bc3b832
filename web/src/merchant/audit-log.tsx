import { useParams } from '@tanstack/react-router';
import { Page, Section } from '../parts/page.tsx';
import { AuditLog } from '../people/audit-log.tsx';
import { storePath } from './stores-api.ts';

export function StoreAuditLog() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  return (
    <Page title="Audit log" intro="Every change in this store, by people and by keys, kept for ever.">
      <Section title="Changes" bare flush>
        <AuditLog path={`${storePath(store)}/audit-log`} />
      </Section>
    </Page>
  );
}
