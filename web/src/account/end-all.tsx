import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { countOf } from '../parts/count-of.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Section } from '../parts/page.tsx';
import { refresh } from '../parts/reading.ts';

type Ended = { readonly sessions_ended: number; readonly keys_revoked: number };

/** For whoever fears that somebody else got in. */
export function EndAll() {
  const client = useQueryClient();
  const end = (keys: boolean) => async () => {
    const ended = await api.post<Ended>('/profile/end-all', { keys });
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    const sessions = countOf(ended.sessions_ended, 'other session', 'other sessions');
    notifications.show({ message: `Ended ${sessions} and revoked ${countOf(ended.keys_revoked, 'API key', 'API keys')}.` });
  };
  return (
    <Section title="Did somebody else get in?" intro="End every access but this one, then change your password.">
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <ConfirmButton
          label="End all sessions and keys"
          title="End all sessions and keys?"
          confirm="End all of them"
          danger
          run={end(true)}
        >
          <p>
            All your other sessions end, other devices are forgotten, and programs that use an API key you created are refused immediately.
          </p>
        </ConfirmButton>
        <ConfirmButton label="End other sessions only" title="End all other sessions?" confirm="End the sessions" run={end(false)}>
          <p>All your other sessions end and other devices are forgotten. Your API keys keep working.</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}
