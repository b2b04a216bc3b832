import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { Copyable } from '../parts/copy.tsx';
import { useAction } from '../parts/dialog.tsx';
import { newKey } from '../parts/new-key.ts';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Time } from '../parts/time.tsx';
import { storePath, type Store } from './stores-api.ts';
import styles from './test-link.module.css';

type Made = { readonly url: string; readonly click_id: string; readonly expires_at: string };

/** The proof that all of it works together: a test order from click to postback. It earns nothing, and switches tracking on. */
export function TestLink({ shop }: { readonly shop: Store }) {
  const [made, setMade] = useState<Made | null>(null);
  const make = useAction(async () => setMade(await api.post<Made>(`${storePath(shop.id)}/test-links`, {}, newKey())));
  return (
    <Section
      title="Test order"
      intro="Open a test link, place an order in your shop, and let your server report it with “test”. When it arrives, tracking is on."
      actions={
        <Button variant="default" size="xs" loading={make.running} onClick={make.run}>
          Make a test link
        </Button>
      }
    >
      {make.problem && <ProblemNote problem={make.problem} />}
      {made === null ? (
        <p className={styles.hint}>A test link works for 24 hours. No test order earns anything or stands in a report.</p>
      ) : (
        <ol className={styles.steps}>
          <li>
            Open this link, until <Time at={made.expires_at} />:
            <Copyable value={made.url} label="the test link" />
          </li>
          <li>
            Order something, or report the order yourself from a command line, with your postback key in <code>$POSTBACK_KEY</code>:
            <Copyable value={curlOf(shop, made)} label="the command" wrap={false} />
          </li>
        </ol>
      )}
    </Section>
  );
}

function curlOf(shop: Store, { click_id: clickId }: Made): string {
  const order = {
    order_id: `test-${Date.now()}`,
    click_id: clickId,
    currency: 'USD',
    order_subtotal_cents: 1_000,
    occurred_at: new Date().toISOString(),
    test: true,
  };
  return [
    `curl ${location.origin}/api/partner-network/postbacks/${shop.tracking_key}/conversions \\`,
    `  -H "Authorization: Bearer $POSTBACK_KEY" -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(order)}'`,
  ].join('\n');
}
