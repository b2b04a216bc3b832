import { Outlet, useRouteContext } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { useRefreshSession } from '../../session/session.ts';

/** Offers to become a creator on every page of the portal. */
export function CreatorArea() {
  const { session } = useRouteContext({ from: '/signed-in' });
  return session.creator_id === null ? <BecomeCreator name={session.name} /> : <Outlet />;
}

/** Refreshes the session, which then has the creator ID. */
export function useBecomeCreator(): (name: string, key?: string) => Promise<void> {
  const refreshSession = useRefreshSession();
  return async (name, key) => {
    await api.post('/creators/me', { name }, key);
    await refreshSession();
  };
}

function BecomeCreator({ name }: { readonly name: string }) {
  const become = useBecomeCreator();
  return (
    <Page title="Creator’s portal" narrow intro="Creators share links to shops they like, and earn when somebody buys.">
      <Section title="Become a creator" intro="It takes this one step. Then you apply to programs and make your links.">
        <Form send={(values, key) => become(values.text('name'), key)} submit="Become a creator">
          <TextField
            name="name"
            label="Name"
            description="As merchants see you: your own, or that of your channel."
            defaultValue={name}
            maxLength={200}
            autoFocus
          />
        </Form>
        <p style={{ marginBottom: 0 }}>
          Are you a merchant? Then go to <TextLink to="/stores">your stores</TextLink>.
        </p>
      </Section>
    </Page>
  );
}
