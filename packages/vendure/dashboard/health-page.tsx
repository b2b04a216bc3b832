import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Page, PageActionBar, PageActionBarRight, PageBlock, PageLayout, PageTitle } from '@vendure/dashboard';
import { useState } from 'react';
import { checkCodes, readHealth, runTestOrder, sendReports, type Report } from './api';
import { Failure, Row, Status } from './parts';
import { nameOf, texts } from './texts';

/** The health of the integration, and the test order. */
export function HealthPage() {
  const { data, error } = useQuery({ queryKey: ['tributary', 'health'], queryFn: readHealth });
  const [said, say] = useState('');
  return (
    <Page pageId="tributary">
      <PageTitle>{texts.title}</PageTitle>
      <PageActionBar>
        <PageActionBarRight>
          <Actions say={say} />
        </PageActionBarRight>
      </PageActionBar>
      <PageLayout>
        <PageBlock column="main" blockId="tributary-checks" title={texts.checks}>
          {said !== '' && (
            <p role="status" className="mb-2 text-sm">
              {said}
            </p>
          )}
          {error !== null && <Failure>{error.message}</Failure>}
          {data !== undefined && data.problem !== null && <Failure>{data.problem}</Failure>}
          {data?.checks.map(({ check, passed, evidence }) => (
            <Row key={check} name={nameOf(check)}>
              <Status is={passed ? 'good' : 'open'}>{passed ? texts.passed : texts.notYet}</Status> {evidence}
            </Row>
          ))}
        </PageBlock>
        <PageBlock column="side" blockId="tributary-connection" title={texts.connection}>
          <Row name={texts.store}>{data?.storeName ?? texts.notConnected}</Row>
          <Row name={texts.service}>{data?.url}</Row>
        </PageBlock>
        <PageBlock column="main" blockId="tributary-reports" title={texts.reports}>
          <Row name={texts.accepted}>{data?.accepted}</Row>
          <Row name={texts.waiting}>{data?.waiting}</Row>
          <Row name={texts.refused}>{data?.refused}</Row>
          {data !== undefined && <Reports open={data.open} />}
        </PageBlock>
      </PageLayout>
    </Page>
  );
}

function Reports({ open }: { readonly open: readonly Report[] }) {
  if (open.length === 0) return <p className="text-muted-foreground text-sm">{texts.noReports}</p>;
  return open.map(({ orderCode, operation, status, message }, number) => (
    <Row key={number} name={`${nameOf(operation)} ${orderCode}`}>
      <Status is={status === 'refused' ? 'bad' : 'open'}>{nameOf(status)}</Status> {message}
    </Row>
  ));
}

function Actions({ say }: { readonly say: (text: string) => void }) {
  const codes = useAction(checkCodes, say, ({ linked, created, changed }) => texts.codesChecked(linked, created, changed));
  const send = useAction(sendReports, say, texts.due);
  const testOrder = useAction(runTestOrder, say, () => texts.verified);
  return (
    <>
      <Button variant="outline" disabled={codes.isPending} onClick={() => codes.mutate()}>
        {texts.checkCodes}
      </Button>
      <Button variant="outline" disabled={send.isPending} onClick={() => send.mutate()}>
        {texts.sendNow}
      </Button>
      <Button disabled={testOrder.isPending} onClick={() => testOrder.mutate()}>
        {texts.runTestOrder}
      </Button>
    </>
  );
}

function useAction<Answer>(action: () => Promise<Answer>, say: (text: string) => void, sentenceOf: (answer: Answer) => string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: (answer) => say(sentenceOf(answer)),
    onError: ({ message }) => say(message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tributary'] }),
  });
}
