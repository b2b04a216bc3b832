import { defineWidgetConfig } from '@medusajs/admin-sdk';
import type { AdminOrder, DetailWidgetProps } from '@medusajs/framework/types';
import { Container, Heading, StatusBadge, Text } from '@medusajs/ui';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readOrder, type OrderState } from '../lib/api';
import { colors, money, Row } from '../lib/parts';

/** The creator and the commission of an order, with what was reported about it. */
function OrderCommission({ data: order }: DetailWidgetProps<AdminOrder>) {
  const { t } = useTranslation('tributary');
  const { data, error } = useQuery({ queryKey: ['tributary', 'order', order.id], queryFn: () => readOrder(order.id) });
  return (
    <Container className="divide-y p-0">
      <div className="px-6 py-4">
        <Heading level="h2">{t('title')}</Heading>
      </div>
      {error !== null && <Text className="text-ui-fg-error px-6 py-4">{error.message}</Text>}
      {data !== undefined && <State {...data} />}
    </Container>
  );
}

function State({ reports, commission, problem }: OrderState) {
  const { t } = useTranslation('tributary');
  if (reports.length === 0)
    return (
      <Text size="small" className="text-ui-fg-subtle px-6 py-4">
        {t('order.none')}
      </Text>
    );
  return (
    <>
      {problem !== null && <Text className="text-ui-fg-error px-6 py-4">{problem}</Text>}
      {commission !== null && (
        <>
          <Row name={t('order.creator')}>{commission.creator_name}</Row>
          <Row name={t('order.commission')}>{money(commission.amount_cents)}</Row>
          <Row name={t('order.state')}>{t(`commission.${commission.state}`)}</Row>
          {commission.credited_code !== null && <Row name={t('order.code')}>{commission.credited_code}</Row>}
          <Text size="small" className="text-ui-fg-subtle px-6 py-4">
            {commission.explanation}
          </Text>
        </>
      )}
      {reports.map(({ operation, status, message }, number) => (
        <Row key={number} name={t(`operation.${operation}`)}>
          <StatusBadge color={colors[status]}>{t(`status.${status}`)}</StatusBadge>
          {status !== 'accepted' && message !== null && <span className="mt-1 block">{message}</span>}
        </Row>
      ))}
    </>
  );
}

export const config = defineWidgetConfig({ zone: 'order.details.side.before' });

export default OrderCommission;
