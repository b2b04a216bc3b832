import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatCount } from '../../ui/format-count.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';

type Ended = { readonly sessions_ended: number; readonly keys_revoked: number };

/** For people who suspect that their account was taken over. */
export function EndAllAccess() {
  const client = useQueryClient();
  const end = (keys: boolean) => async () => {
    const ended = await api.post<Ended>('/profile/end-all', { keys });
    await Promise.all(['/sessions', '/profile/devices', '/profile/api-keys'].map((path) => refresh(client, path)));
    const sessions = formatCount(ended.sessions_ended, 'other session', 'other sessions');
    notifications.show({ message: `Ended ${sessions} and revoked ${formatCount(ended.keys_revoked, 'API key', 'API keys')}.` });
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
