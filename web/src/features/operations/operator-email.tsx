import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment } from 'react';
import { CopyableValue, CopyIcon } from '../../ui/copy.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Icon } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { emailQuery } from './emails-api.ts';
import styles from './operator-email.module.css';

/** One email with its content. The service asks for a recent proof, and the audit log records who reads it. */
export function OperatorEmail() {
  const { emailId: id } = useParams({ from: '/signed-in/operator/mails/$emailId' });
  const mail = useQuery({ ...emailQuery(id), gcTime: 0 });
  const above = <TextLink to="/operator/mails">Mails</TextLink>;
  if (mail.isPending) return <Page title="Mail" narrow above={above} children={<LoadingSkeleton />} />;
  if (mail.isError)
    return <Page title="Mail" narrow above={above} children={<ErrorAlert error={mail.error} onRetry={() => void mail.refetch()} />} />;
  return (
    <Page title={mail.data.subject} narrow above={above}>
      <Section title="Mail">
        <DescriptionList
          facts={[
            ['To', mail.data.to],
            ['Written', <Time key="w" at={mail.data.made_at} />],
          ]}
        />
        <OneTimeLinkNote text={mail.data.text} isRemoved={mail.data.link_removed} />
        <div className={styles.text}>
          <LinkedText text={mail.data.text} />
        </div>
      </Section>
    </Page>
  );
}

type OneTimeLinkNoteProps = { readonly text: string; readonly isRemoved: boolean };

/** Without a mail server in the sandbox, operators pass the link on. */
function OneTimeLinkNote({ text, isRemoved }: OneTimeLinkNoteProps) {
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
      <CopyableValue value={link} label="the link" />
    </Alert>
  );
}

/** The text as sent, with links. */
function LinkedText({ text }: { readonly text: string }) {
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
