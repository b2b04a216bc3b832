import { Outlet, useRouteContext } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { useRefreshSession } from '../../session/session.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
    <Page title={t.creator_area.creator_portal} narrow intro={t.creator_area.share_links_to_stores_you}>
      <Section title={t.creator_area.create_creator_account} intro={t.creator_area.after_this_step_you_can}>
        <Form send={(values, key) => become(values.text('name'), key)} submit={t.creator_area.create_creator_account}>
          <TextField
            name="name"
            label={t.creator_area.creator_name}
            description={t.creator_area.shown_to_merchants_use_your}
            defaultValue={name}
            maxLength={200}
            autoFocus
          />
        </Form>
        <p style={{ marginBottom: 0 }}>{rich(t.creator_area.are_you_a_merchant_go, { link: <TextLink to="/stores" /> })}</p>
      </Section>
    </Page>
  );
}
