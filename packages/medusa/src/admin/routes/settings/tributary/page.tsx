import { defineRouteConfig } from '@medusajs/admin-sdk';
import { Button, Container, Heading, StatusBadge, Text, toast } from '@medusajs/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readHealth, retryReports, runTestOrder, syncCodes, type Health } from '../../../lib/api';
import { colors, Row } from '../../../lib/parts';

/** The health of the integration, and the test order. */
function TributaryPage() {
  const { t } = useTranslation('tributary');
  const { data, error } = useQuery({ queryKey: ['tributary', 'health'], queryFn: readHealth });
  return (
    <Container className="divide-y p-0">
      <div className="flex items-center justify-between gap-2 px-6 py-4">
        <Heading>{t('title')}</Heading>
        <Actions />
      </div>
      {error !== null && <Text className="text-ui-fg-error px-6 py-4">{error.message}</Text>}
      {data !== undefined && <State {...data} />}
    </Container>
  );
}

function Actions() {
  const { t } = useTranslation('tributary');
  const testOrder = useAction(runTestOrder, () => t('health.verified'));
  const retry = useAction(retryReports, ({ due }) => t('health.due', { count: due }));
  const codes = useAction(syncCodes, (synced) => t('health.synced', synced));
  return (
    <div className="flex gap-2">
      <Button size="small" variant="secondary" isLoading={codes.isPending} onClick={() => codes.mutate()}>
        {t('health.codes')}
      </Button>
      <Button size="small" variant="secondary" isLoading={retry.isPending} onClick={() => retry.mutate()}>
        {t('health.retry')}
      </Button>
      <Button size="small" isLoading={testOrder.isPending} onClick={() => testOrder.mutate()}>
        {t('health.testOrder')}
      </Button>
    </div>
  );
}

function useAction<Answer>(action: () => Promise<Answer>, sayOf: (answer: Answer) => string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: (answer) => void toast.success(sayOf(answer)),
    onError: ({ message }) => void toast.error(message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tributary'] }),
  });
}

function State({ problem, url, store, checks, queue }: Health) {
  const { t } = useTranslation('tributary');
  return (
    <>
      <Row name={t('health.service')}>{url}</Row>
      <Row name={t('health.store')}>
        {problem === null ? t('health.connected', { store: store?.name }) : <span className="text-ui-fg-error">{problem}</span>}
      </Row>
      {checks.map(({ check, passed, evidence }) => (
        <Row key={check} name={t(`check.${check}`)}>
          <StatusBadge color={passed ? 'green' : 'grey'}>{passed ? t('health.passed') : t('health.notYet')}</StatusBadge>
          <span className="mt-1 block">{evidence}</span>
        </Row>
      ))}
      <Row name={t('health.queue')}>{t('health.counts', queue)}</Row>
      {queue.open.map(({ order_id: order, operation, status, message }, number) => (
        <Row key={number} name={`${t(`operation.${operation}`)} ${order}`}>
          <StatusBadge color={colors[status]}>{t(`status.${status}`)}</StatusBadge>
          {message !== null && <span className="mt-1 block">{message}</span>}
        </Row>
      ))}
    </>
  );
}

export const config = defineRouteConfig({ label: 'title', translationNs: 'tributary' });

export default TributaryPage;
