import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useFieldError } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { usePermission } from '../access/use-permission.ts';
import styles from './store-settings.module.css';
import { storePath, type Store } from './stores-api.ts';

export function StoreSite({ currentStore }: { readonly currentStore: Store }) {
  const client = useQueryClient();
  const mayManage = usePermission(currentStore.id)('store:manage');
  const [opened, setOpened] = useState(false);
  if (!mayManage) return null;
  const done = async () => {
    await refresh(client, '/stores');
    setOpened(false);
  };
  return (
    <Section title="Site" intro="Creators’ links lead only to pages of this site.">
      <DescriptionList facts={[['Address', currentStore.site_url]]} />
      <Button className={styles.below ?? ''} variant="default" size="xs" onClick={() => setOpened(true)}>
        Change site
      </Button>
      <Dialog title={`Change the site of ${currentStore.name}`} opened={opened} onClose={() => setOpened(false)}>
        <Form
          send={(values) =>
            api.patch<Store>(storePath(currentStore.id), {
              site_url: values.text('site_url'),
              move_landing_pages: values.all('move_landing_pages').length > 0,
            })
          }
          done={done}
          submit="Change site"
          beside={
            <Button variant="default" onClick={() => setOpened(false)}>
              Cancel
            </Button>
          }
        >
          <TextField
            name="site_url"
            label="New address"
            description={`Now ${currentStore.site_url}`}
            placeholder="https://northwind.example"
            type="url"
            inputMode="url"
            data-autofocus
          />
          <MoveLandingPagesOption />
          <div>
            <p>What changes as soon as you save:</p>
            <ul className={styles.list}>
              <li>Tracking links redirect only to the new site. Links that creators shared keep their addresses.</li>
              <li>Test links stop working if the host changes. Create new ones.</li>
              <li>Orders, commissions, keys, and webhooks stay as they are.</li>
            </ul>
            <p>The pages of the new site need the tracking script, or your server has to save click IDs there.</p>
          </div>
        </Form>
      </Dialog>
    </Section>
  );
}

/** The service rejects a site that would leave landing pages outside it; the error says how many. */
const MoveLandingPagesOption = () => (
  <Checkbox
    name="move_landing_pages"
    value="yes"
    label="Move landing pages that are outside the new site"
    description="Landing pages of programs and links get the new host and keep their paths and queries."
    error={useFieldError('move_landing_pages')}
  />
);
