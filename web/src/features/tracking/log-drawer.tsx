import { useQuery } from '@tanstack/react-query';
import type { LogEntry } from '../../api/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { apiPath } from '../../api/operations.ts';
import { CopyableValue, CopyTextButton } from '../../ui/copy.tsx';
import { Drawer, DrawerSection, RawJson } from '../../ui/drawer.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { indentJson } from '../../ui/indent-json.ts';
import { TextLink } from '../../ui/links.tsx';
import { apiQuery, noId } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import { ResponseChip } from './log-table.tsx';
import { postbackAdvice, warningAdvice } from './postback-advice.ts';
import { storeQuery } from '../stores/stores-api.ts';
import { logLineCurl, operationLabels } from './tracking-api.ts';
import styles from './tracking-log.module.css';

type LogDrawerProps = { readonly store: string; readonly id: string | undefined; readonly close: () => void };

export function LogDrawer({ store, id, close }: LogDrawerProps) {
  const found = useQuery({
    ...apiQuery(apiPath('/stores/{store}/tracking-log/{postback}', { store, postback: id ?? noId })),
    enabled: id !== undefined,
  });
  return (
    <Drawer title={found.data?.subject ?? 'Request'} opened={id !== undefined} onClose={close}>
      <QueryView query={found}>{(data) => <LogLineDetails store={store} line={data} />}</QueryView>
    </Drawer>
  );
}

function LogLineDetails({ store, line }: { readonly store: string; readonly line: LogEntry }) {
  const advice = postbackAdvice[line.reason];
  return (
    <>
      <DescriptionList
        items={[
          ['Answer', <ResponseChip key="a" line={line} />],
          ['What', operationLabels[line.operation] ?? line.operation],
          ['When', <Time key="w" at={line.at} />],
          ['Took', `${line.latency_ms.toFixed(1)} ms`],
          [
            'Request ID',
            <span key="r" className="mono">
              {line.request_id}
            </span>,
          ],
          ...(line.test ? [['Test', 'yes: no money, and in no report'] as const] : []),
          ...(line.replay ? [['Again', 'the same report came before'] as const] : []),
        ]}
      />
      <DrawerSection title="Why">
        <p>{line.explanation}</p>
      </DrawerSection>
      {advice !== undefined && (
        <DrawerSection title="What to do">
          <p>{advice}</p>
          <ConversionLink store={store} line={line} />
        </DrawerSection>
      )}
      {line.warnings.length > 0 && (
        <DrawerSection title="Warnings">
          <ul className={styles.warnings}>
            {line.warnings.map(({ code, field, message }) => (
              <li key={`${code} ${field}`}>{message}</li>
            ))}
          </ul>
        </DrawerSection>
      )}
      <LeakedKeySteps store={store} line={line} />
      <DrawerSection title="What was sent">
        <RequestBody store={store} line={line} />
      </DrawerSection>
      <DrawerSection title="What was answered">
        <CopyableValue value={JSON.stringify(line.reply, null, 2)} label="the answer" />
      </DrawerSection>
      <RawJson value={line} />
    </>
  );
}

/** The steps after a key leaked. */
function LeakedKeySteps({ store, line: { warnings } }: { readonly store: string; readonly line: LogEntry }) {
  const steps = [...new Set(warnings.flatMap(({ code }) => warningAdvice[code] ?? []))];
  if (steps.length === 0) return null;
  return (
    <DrawerSection title="Replace the key">
      <ul className={styles.warnings}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      <p>
        <TextLink to="/stores/$store/integration" params={{ store }}>
          Manage postback keys
        </TextLink>
      </p>
    </DrawerSection>
  );
}

function ConversionLink({ store, line }: { readonly store: string; readonly line: LogEntry }) {
  const { operation, subject, reason, test } = line;
  if (test || subject === null || !(operation === 'conversion' || operation === 'reversal')) return null;
  if (reason !== 'recorded' && reason !== 'duplicate_order' && reason !== 'active_hold') return null;
  return (
    <p>
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ q: subject }}>
        See the conversion
      </TextLink>
    </p>
  );
}

function RequestBody({ store, line: { body, operation, warnings } }: { readonly store: string; readonly line: LogEntry }) {
  const currentStore = useQuery(storeQuery(store));
  if (body === null) return <p>The body is no longer kept, or was not read: bodies go after ninety days.</p>;
  const isMasked = warnings.some(({ code }) => code === 'key_in_body');
  return (
    <>
      <CopyableValue value={indentJson(body)} label="the body" />
      {isMasked && <p>A key in this body was masked before it was stored, so this copy cannot be sent again as the same postback.</p>}
      {currentStore.isSuccess && !isMasked && (
        <div className={styles.curl}>
          <CopyTextButton
            value={logLineCurl({ origin: location.origin, trackingKey: currentStore.data.tracking_key, operation, body })}
            label="Copy as curl"
          />
          <p>
            Put your postback key into <code>$POSTBACK_KEY</code> first. It is sent again as it was: an accepted report is not recorded
            twice.
          </p>
        </div>
      )}
    </>
  );
}
