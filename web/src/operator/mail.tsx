import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import { Copyable, CopyIcon } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icons.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { mailReading } from './mails-api.ts';
import styles from './mail.module.css';

/** One mail with what it says. The service asks for a recent proof, and the audit log names who reads it. */
export function OpenMail() {
  const { mail: id } = useParams({ from: '/inside/operator/mails/$mail' });
  const mail = useQuery({ ...mailReading(id), gcTime: 0 });
  const above = <TextLink to="/operator/mails">Mails</TextLink>;
  if (mail.isPending) return <Page title="Mail" narrow above={above} children={<Waiting />} />;
  if (mail.isError)
    return <Page title="Mail" narrow above={above} children={<ProblemNote problem={mail.error} onRetry={() => void mail.refetch()} />} />;
  return (
    <Page title={mail.data.subject} narrow above={above}>
      <Section title="Mail">
        <Facts
          facts={[
            ['To', mail.data.to],
            ['Written', <Time key="w" at={mail.data.made_at} />],
          ]}
        />
        <OneTimeLink text={mail.data.text} isRemoved={mail.data.link_removed} />
        <div className={styles.text}>
          <Text text={mail.data.text} />
        </div>
      </Section>
    </Page>
  );
}

type OneTimeLinkProps = { readonly text: string; readonly isRemoved: boolean };

/** Where no mail server is set in the sandbox, handing the link on is what this page is for. */
function OneTimeLink({ text, isRemoved }: OneTimeLinkProps) {
  const link = /https?:\/\/\S+\/link(?:\?\S+)?#[\w-]{43}/.exec(text)?.[0];
  if (isRemoved)
    return (
      <Alert variant="outline" mb="md" title="The link is not shown">
        A one-time link belongs to the recipient alone, so operators never read it.
      </Alert>
    );
  if (link === undefined) return null;
  return (
    <Alert variant="outline" color="yellow" icon={<Icon name="alert" />} mb="md">
      <p className={styles.said}>
        <strong>Hand this link on.</strong> No mail server is set, so this mail was not sent. The link works once; the audit log records
        that you opened it.
      </p>
      <Copyable value={link} label="the link" />
    </Alert>
  );
}

/** As it was sent, with its addresses to follow. */
function Text({ text }: { readonly text: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, place) =>
    place % 2 === 1 ? (
      <Fragment key={place}>
        <Anchor href={part}>{part}</Anchor>
        <CopyIcon value={part} label="the link" />
      </Fragment>
    ) : (
      part
    ),
  );
}
