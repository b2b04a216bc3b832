import { Page, Section } from '../parts/page.tsx';
import { AuditLog } from '../people/audit-log.tsx';

export function OperatorAuditLog() {
  return (
    <Page title="Audit log" intro="Every change in this installation, by people and by keys, kept for ever.">
      <Section title="Changes" bare flush>
        <AuditLog path="/audit-log" />
      </Section>
    </Page>
  );
}
