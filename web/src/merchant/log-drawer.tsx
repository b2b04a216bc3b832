import { useQuery } from '@tanstack/react-query';
import { Copyable, CopyTextButton } from '../parts/copy.tsx';
import { Drawer, DrawerPart, RawJson } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { indentJson } from '../parts/indent-json.ts';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { AnswerChip } from './log-table.tsx';
import { postbackAdvice } from './postback-advice.ts';
import { warningAdvice } from './warning-advice.ts';
import { storeReading } from './stores-api.ts';
import { curlOf, logPath, operationWords, type LogLine } from './tracking-api.ts';
import styles from './tracking-log.module.css';

type LogDrawerProps = { readonly store: string; readonly id: string | undefined; readonly close: () => void };

export function LogDrawer({ store, id, close }: LogDrawerProps) {
  const found = useQuery({ ...reading<LogLine>(`${logPath(store)}/${id}`), enabled: id !== undefined });
  return (
    <Drawer title={found.data?.subject ?? 'Request'} opened={id !== undefined} onClose={close}>
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <Line store={store} line={found.data} />}
    </Drawer>
  );
}

function Line({ store, line }: { readonly store: string; readonly line: LogLine }) {
  const advice = postbackAdvice[line.reason];
  return (
    <>
      <Facts
        facts={[
          ['Answer', <AnswerChip key="a" line={line} />],
          ['What', operationWords[line.operation] ?? line.operation],
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
      <DrawerPart title="Why">
        <p>{line.explanation}</p>
      </DrawerPart>
      {advice !== undefined && (
        <DrawerPart title="What to do">
          <p>{advice}</p>
          <ToConversion store={store} line={line} />
        </DrawerPart>
      )}
      {line.warnings.length > 0 && (
        <DrawerPart title="Warnings">
          <ul className={styles.warnings}>
            {line.warnings.map(({ code, field, message }) => (
              <li key={`${code} ${field}`}>{message}</li>
            ))}
          </ul>
        </DrawerPart>
      )}
      <LeakedKey store={store} line={line} />
      <DrawerPart title="What was sent">
        <Body store={store} line={line} />
      </DrawerPart>
      <DrawerPart title="What was answered">
        <Copyable value={JSON.stringify(line.reply, null, 2)} label="the answer" />
      </DrawerPart>
      <RawJson value={line} />
    </>
  );
}

/** The steps that a leaked key asks for. */
function LeakedKey({ store, line: { warnings } }: { readonly store: string; readonly line: LogLine }) {
  const steps = [...new Set(warnings.flatMap(({ code }) => warningAdvice[code] ?? []))];
  if (steps.length === 0) return null;
  return (
    <DrawerPart title="Replace the key">
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
    </DrawerPart>
  );
}

function ToConversion({ store, line }: { readonly store: string; readonly line: LogLine }) {
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

function Body({ store, line: { body, operation, warnings } }: { readonly store: string; readonly line: LogLine }) {
  const shop = useQuery(storeReading(store));
  if (body === null) return <p>The body is no longer kept, or was not read: bodies go after ninety days.</p>;
  const isMasked = warnings.some(({ code }) => code === 'key_in_body');
  return (
    <>
      <Copyable value={indentJson(body)} label="the body" />
      {isMasked && <p>A key in this body was masked before it was stored, so this copy cannot be sent again as the same postback.</p>}
      {shop.isSuccess && !isMasked && (
        <div className={styles.curl}>
          <CopyTextButton
            value={curlOf({ origin: location.origin, trackingKey: shop.data.tracking_key, operation, body })}
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
