import { useMutation } from '@tanstack/react-query';
import { Anchor, Button } from '@mantine/core';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useRefreshSession } from '../../session/session.ts';
import { Chip } from '../../ui/chip.tsx';
import { CopyableValue, CopyTextButton } from '../../ui/copy.tsx';
import { ConfirmButton, Dialog } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Section, Page } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import styles from './second-factor.module.css';

type Setup = { readonly secret: string; readonly url: string };

/** A code from an app in addition to the password. It takes effect after a first code proves that the app has the secret. */
export function SecondFactor() {
  const { session } = useRouteContext({ from: '/signed-in' });
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const isOn = session.second_factor;
  const path = isOn ? '/second-factor/replacement' : '/second-factor';
  const begin = useMutation({ mutationFn: async () => setSetup(await api.post(path)) });
  const refreshSession = useRefreshSession();

  const confirmed = ({ recovery_codes: shown }: { readonly recovery_codes: readonly string[] }) => {
    setSetup(null);
    setCodes(shown);
  };
  // Only after the codes are stored: refreshing the session redirects people who had to set up a second factor, and the codes are shown
  // once.
  const forget = async () => {
    setCodes(null);
    await refreshSession();
  };
  return (
    <Section
      title="Second factor"
      intro="Signing in then needs your password and a code from an app on your phone."
      actions={<StateChip isOn={isOn} />}
    >
      <ErrorAlert error={begin.error} />
      {setup === null && (
        <Button variant="default" mr="xs" loading={begin.isPending} onClick={() => begin.mutate()}>
          {isOn ? 'Replace the app' : 'Set it up'}
        </Button>
      )}
      {setup !== null && (
        <ConfirmSetup
          setup={setup}
          confirmPath={isOn ? '/second-factor/replacement/confirm' : '/second-factor/confirm'}
          done={confirmed}
          onCancel={() => setSetup(null)}
        />
      )}
      {isOn && (
        <SwitchOff
          left={session.recovery_codes_left}
          // In live mode the service does not let operators switch it off.
          isAllowed={!(session.mode === 'live' && session.is_operator)}
          done={refreshSession}
        />
      )}
      <RecoveryCodes codes={codes} forget={() => void forget()} />
    </Section>
  );
}

const StateChip = ({ isOn }: { readonly isOn: boolean }) =>
  isOn ? (
    <Chip label="On" tone="good" meaning="Signing in asks for a code from your app." />
  ) : (
    <Chip label="Off" tone="wait" meaning="Your password alone opens this account." />
  );

type ConfirmSetupProps = {
  readonly setup: Setup;
  readonly confirmPath: '/second-factor/confirm' | '/second-factor/replacement/confirm';
  readonly done: (reply: { readonly recovery_codes: readonly string[] }) => unknown;
  readonly onCancel: () => void;
};

function ConfirmSetup({ setup, confirmPath, done, onCancel }: ConfirmSetupProps) {
  return (
    <>
      <ol className={styles.steps}>
        <li>
          Scan this with your authenticator app:
          <div className={styles.code}>
            <QrCode text={setup.url} label="QR code with the setup key; the key stands below as text" />
          </div>
          <details>
            <summary>I cannot scan it</summary>
            <p>
              Add an account by its setup key, and enter this one; or, on the phone itself, <Anchor href={setup.url}>open the app</Anchor>.
            </p>
            <CopyableValue value={grouped(setup.secret)} label="the setup key" />
          </details>
        </li>
        <li>Then enter the code that the app shows.</li>
      </ol>
      <Form
        send={(values) => api.post(confirmPath, { code: values.text('code') })}
        done={done}
        submit="Switch it on"
        beside={
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        <TextField name="code" label="Code" autoComplete="one-time-code" inputMode="numeric" maxLength={7} autoFocus />
      </Form>
    </>
  );
}

/** Groups of four characters are easier to type. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

type SwitchOffProps = { readonly left: number; readonly isAllowed: boolean; readonly done: () => Promise<void> };

function SwitchOff({ left, isAllowed: isOffered, done }: SwitchOffProps) {
  const run = async () => {
    await api.delete('/second-factor');
    await done();
  };
  return (
    <>
      <p className={styles.left}>
        {left} of your recovery codes {left === 1 ? 'is' : 'are'} unused. Replacing the app gives you new ones.
      </p>
      {isOffered && (
        <ConfirmButton label="Switch it off" title="Switch the second factor off?" confirm="Switch it off" danger run={run}>
          <p>Your password alone will open this account, and your recovery codes stop working.</p>
        </ConfirmButton>
      )}
    </>
  );
}

function RecoveryCodes({ codes, forget }: { readonly codes: readonly string[] | null; readonly forget: () => void }) {
  return (
    <Dialog title="Your recovery codes" opened={codes !== null} onClose={forget} closesByButtonOnly>
      <p>
        <strong>Keep them now: they are shown this once.</strong> Each opens your account once, for the day your phone is gone.
      </p>
      <ul className={styles.codes}>
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyTextButton value={codes?.join('\n') ?? ''} label="Copy all" />
        <Button onClick={forget}>I have stored them</Button>
      </div>
    </Dialog>
  );
}

/** The console redirects operators in live mode here while they have no second factor. */
export function SetUpSecondFactor() {
  return (
    <Page
      title="Set up a second factor"
      narrow
      intro="Operators can see every store and move money, so in live mode they need a second factor. Set one up to go on."
    >
      <SecondFactor />
    </Page>
  );
}
