import { Page, Section } from '../../ui/page.tsx';
import { AuditLogTable } from '../access/audit-log-table.tsx';

export function OperatorAuditLog() {
  return (
    <Page title="Audit log" intro="Every change in this installation, by people and by keys, kept for ever.">
      <Section title="Changes" bare flush>
        <AuditLogTable path="/audit-log" />
      </Section>
    </Page>
  );
}
