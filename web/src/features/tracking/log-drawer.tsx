import { useQuery } from '@tanstack/react-query';
import type { LogEntry } from '../../../../sdk/src/api-schema.ts';
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
import { logLineCurl } from './tracking-api.ts';
import { operationLabels } from './operation-labels.ts';
import styles from './tracking-log.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type LogDrawerProps = { readonly store: string; readonly id: string | undefined; readonly close: () => void };

export function LogDrawer({ store, id, close }: LogDrawerProps) {
  const found = useQuery({
    ...apiQuery(apiPath('/stores/{store}/tracking-log/{postback}', { store, postback: id ?? noId })),
    enabled: id !== undefined,
  });
  return (
    <Drawer title={found.data?.subject ?? t.log_drawer.request} opened={id !== undefined} onClose={close}>
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
          [t.log_drawer.response, <ResponseChip key="a" line={line} />],
          [t.log_drawer.type, operationLabels[line.operation] ?? line.operation],
          [t.log_drawer.when, <Time key="w" at={line.at} />],
          [t.log_drawer.duration, t.log_drawer.ms({ value: line.latency_ms.toFixed(1) })],
          [
            t.log_drawer.request_id,
            <span key="r" className="mono">
              {line.request_id}
            </span>,
          ],
          ...(line.test ? [[t.log_drawer.test, t.log_drawer.yes_moves_no_money_and] as const] : []),
          ...(line.replay ? [[t.log_drawer.repeat, t.log_drawer.an_identical_postback_was_received] as const] : []),
        ]}
      />
      <DrawerSection title={t.log_drawer.explanation}>
        <p>{localizeTimes(line.explanation)}</p>
      </DrawerSection>
      {advice !== undefined && (
        <DrawerSection title={t.log_drawer.next_step}>
          <p>{advice}</p>
          <ConversionLink store={store} line={line} />
        </DrawerSection>
      )}
      {line.warnings.length > 0 && (
        <DrawerSection title={t.log_drawer.warnings}>
          <ul className={styles.warnings}>
            {line.warnings.map(({ code, field, message }) => (
              <li key={`${code} ${field}`}>{localizeTimes(message)}</li>
            ))}
          </ul>
        </DrawerSection>
      )}
      <LeakedKeySteps store={store} line={line} />
      <DrawerSection title={t.log_drawer.request_body}>
        <RequestBody store={store} line={line} />
      </DrawerSection>
      <DrawerSection title={t.log_drawer.response_body}>
        <CopyableValue value={JSON.stringify(line.reply, null, 2)} label={t.log_drawer.response_2} />
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
    <DrawerSection title={t.log_drawer.replace_key}>
      <ul className={styles.warnings}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      <p>
        <TextLink to="/stores/$store/integration" params={{ store }}>
          {t.log_drawer.manage_postback_keys}
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
        {t.log_drawer.view_conversion}
      </TextLink>
    </p>
  );
}

function RequestBody({ store, line: { body, operation, warnings } }: { readonly store: string; readonly line: LogEntry }) {
  const currentStore = useQuery(storeQuery(store));
  if (body === null) return <p>{t.log_drawer.the_body_is_not_available}</p>;
  const isMasked = warnings.some(({ code }) => code === 'key_in_body');
  return (
    <>
      <CopyableValue value={indentJson(body)} label={t.log_drawer.body} />
      {isMasked && <p>{t.log_drawer.a_key_in_this_body}</p>}
      {currentStore.isSuccess && !isMasked && (
        <div className={styles.curl}>
          <CopyTextButton
            value={logLineCurl({ origin: location.origin, trackingKey: currentStore.data.tracking_key, operation, body })}
            label={t.log_drawer.copy_as_curl}
          />
          <p>{rich(t.log_drawer.first_set_postback_key_to, { code: <code /> })}</p>
        </div>
      )}
    </>
  );
}
