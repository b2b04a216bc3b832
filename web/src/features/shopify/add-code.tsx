import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { apiPath } from '../../api/operations.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import styles from '../../ui/connection.module.css';
import { t } from './messages.ts';

const codesShownMax = 100;

/** Adds a code of a creator to the shop, where it takes a percentage off. */
export function AddCode({ store }: { readonly store: string }) {
  const [added, setAdded] = useState<string | null>(null);
  const { data: codes } = useQuery(apiQuery(apiPath('/stores/{store}/codes', { store }, { status: 'active', limit: codesShownMax })));
  if (codes === undefined || codes.data.length === 0) return null;
  return (
    <Section title={t.shopify.codes} intro={t.shopify.codes_intro}>
      <Form
        send={async (values, idempotencyKey) =>
          api.post(
            apiPath('/stores/{store}/shopify/codes', { store }),
            { code_id: values.option('code_id'), percent_off: Number(values.text('percent_off')) },
            idempotencyKey,
          )
        }
        done={({ code }) => setAdded(code)}
        submit={t.shopify.add_code}
      >
        <SelectField name="code_id" label={t.shopify.code} data={codes.data.map(({ id, code }) => ({ value: id, label: code }))} />
        <TextField name="percent_off" label={t.shopify.percent_off} inputMode="numeric" pattern="[1-9][0-9]?|100" maxLength={3} />
      </Form>
      {added !== null && (
        <p className={styles.muted} role="status">
          {t.shopify.code_added({ code: added })}
        </p>
      )}
    </Section>
  );
}
