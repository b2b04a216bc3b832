import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import { CopyIcon } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { mailReading } from './mails-api.ts';
import styles from './mail.module.css';

/** One mail with what it says. The links in it open doors, so the service asks who reads it, and writes that down. */
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
        <div className={styles.text}>
          <Text text={mail.data.text} />
        </div>
      </Section>
    </Page>
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
