import { useQuery } from '@tanstack/react-query';
import { readOrder } from './api';
import { Failure, Row, Status } from './parts';
import { nameOf, texts } from './texts';

const centsPerDollar = 100;
const money = (cents: number): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' }).format(cents / centsPerDollar);

/** The creator and the commission of an order, with what was reported about it. */
export function OrderBlock({ orderId }: { readonly orderId: string }) {
  const { data, error } = useQuery({ queryKey: ['tributary', 'order', orderId], queryFn: () => readOrder(orderId) });
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (data === undefined) return null;
  const { reports, commission, problem } = data;
  if (reports.length === 0) return <p className="text-muted-foreground text-sm">{texts.noCreator}</p>;
  return (
    <>
      {problem !== null && <Failure>{problem}</Failure>}
      {commission !== null && (
        <>
          <Row name={texts.creator}>{commission.creatorName}</Row>
          <Row name={texts.commission}>{money(commission.amountCents)}</Row>
          <Row name={texts.state}>{nameOf(commission.state)}</Row>
          {commission.creditedCode !== null && <Row name={texts.code}>{commission.creditedCode}</Row>}
          <p className="text-muted-foreground my-2 text-sm">{commission.explanation}</p>
        </>
      )}
      {reports.map(({ operation, status, message }, number) => (
        <Row key={number} name={nameOf(operation)}>
          <Status is={status === 'accepted' ? 'good' : status === 'refused' ? 'bad' : 'open'}>{nameOf(status)}</Status>
          {status !== 'accepted' && <> {message}</>}
        </Row>
      ))}
    </>
  );
}
