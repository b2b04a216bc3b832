import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../api.ts';
import { ConfirmButton, useAction } from '../parts/dialog.tsx';
import { Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { saveJson } from '../parts/save-file.ts';
import { leave } from '../shell/leave.ts';
import styles from './my-data.module.css';

/** What is kept about the person, as a file; and the way out. */
export function MyData({ email }: { readonly email: string }) {
  const saving = useAction(async () => saveJson(await api.get<object>('/profile/export'), 'what-is-kept-about-me.json'));
  return (
    <Section
      title="What is kept about you"
      intro="All of it as one file, row by row. Erased, your name, address, accounts and words go; amounts and dates stay in the books, without a name."
    >
      {saving.problem && <ProblemNote problem={saving.problem} />}
      <div className={styles.buttons}>
        <Button variant="default" size="xs" loading={saving.running} onClick={saving.run}>
          Save it as a file
        </Button>
        <Erase email={email} />
      </div>
    </Section>
  );
}

function Erase({ email }: { readonly email: string }) {
  const client = useQueryClient();
  const router = useRouter();
  const run = async () => {
    await api.post('/profile/erase', {});
    await leave(client, () => router.navigate({ to: '/sign-in' }));
  };
  return (
    <ConfirmButton label="Erase my account" look="subtle" danger title="Erase your account?" confirm="Erase it for good" run={run}>
      <p>
        Nobody can bring {email} back. You leave all stores and programs, and your links lead on without counting. API keys you made end
        too. It is refused while you are owed money, while a store has no other owner, or while nobody else operates this installation.
      </p>
    </ConfirmButton>
  );
}
