import { useMutation } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
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
import { PlainLink } from '../../ui/links.tsx';
import { Section, Page } from '../../ui/page.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import styles from './second-factor.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

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
      title={t.second_factor.two_factor_authentication}
      intro={t.second_factor.sign_in_with_your_password}
      actions={<StateChip isOn={isOn} />}
    >
      <ErrorAlert error={begin.error} />
      {setup === null && (
        <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate()}>
          {isOn ? t.second_factor.replace_authenticator_app : t.second_factor.set_up}
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
    <Chip label={t.second_factor.on} tone="good" meaning={t.second_factor.signing_in_requires_a_code} />
  ) : (
    <Chip label={t.second_factor.off} tone="wait" meaning={t.second_factor.your_account_is_protected_by} />
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
          {t.second_factor.scan_this_qr_code_with}
          <div className={styles.code}>
            <QrCode text={setup.url} label={t.second_factor.qr_code_with_the_setup} />
          </div>
          <details>
            <summary>{t.second_factor.cant_scan_the_code}</summary>
            <p>{rich(t.second_factor.add_an_account_with_this, { link: <PlainLink href={setup.url} /> })}</p>
            <CopyableValue value={grouped(setup.secret)} label={t.second_factor.setup_key} />
          </details>
        </li>
        <li>{t.second_factor.enter_the_code_that_the}</li>
      </ol>
      <Form
        send={(values) => api.post(confirmPath, { code: values.text('code') })}
        done={done}
        submit={t.second_factor.turn_on}
        beside={
          <Button variant="default" onClick={onCancel}>
            {t.second_factor.cancel}
          </Button>
        }
      >
        <TextField name="code" label={t.second_factor.code} autoComplete="one-time-code" inputMode="numeric" maxLength={7} autoFocus />
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
      <p className={styles.left}>{t.second_factor.you_have_unused_recovery_codes({ left })}</p>
      {isOffered && (
        <ConfirmButton
          label={t.second_factor.turn_off}
          title={t.second_factor.turn_off_two_factor_authentication}
          confirm={t.second_factor.turn_off}
          danger
          run={run}
        >
          <p>{t.second_factor.your_account_will_be_protected}</p>
        </ConfirmButton>
      )}
    </>
  );
}

function RecoveryCodes({ codes, forget }: { readonly codes: readonly string[] | null; readonly forget: () => void }) {
  return (
    <Dialog title={t.second_factor.your_recovery_codes} opened={codes !== null} onClose={forget} closesByButtonOnly>
      <p>{rich(t.second_factor.save_these_codes_now_they, { b: <strong /> })}</p>
      <ul className={styles.codes}>
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyTextButton value={codes?.join('\n') ?? ''} label={t.second_factor.copy_all} />
        <Button onClick={forget}>{t.second_factor.ive_stored_them}</Button>
      </div>
    </Dialog>
  );
}

/** The console redirects operators in live mode here while they have no second factor. */
export function SetUpSecondFactor() {
  return (
    <Page title={t.second_factor.set_up_two_factor_authentication} narrow intro={t.second_factor.operators_can_access_every_store}>
      <SecondFactor />
    </Page>
  );
}
