import { Outlet, useRouteContext } from '@tanstack/react-router';
import { api } from '../api.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { useRereadSession } from '../shell/reread-session.ts';

/** Whoever is no creator yet becomes one here, wherever in the portal they came in. */
export function CreatorArea() {
  const { session } = useRouteContext({ from: '/inside' });
  return session.creator_id === null ? <BecomeCreator name={session.name} /> : <Outlet />;
}

/** The session names the creator from then on. */
export function useBecome(): (name: string, key?: string) => Promise<void> {
  const reread = useRereadSession();
  return async (name, key) => {
    await api.post('/creators/me', { name }, key);
    await reread();
  };
}

function BecomeCreator({ name }: { readonly name: string }) {
  const become = useBecome();
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
