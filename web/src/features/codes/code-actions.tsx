import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { DiscountCode } from '../../../../sdk/src/api-schema.ts';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { refresh } from '../../ui/queries.ts';
import { EditCodeButton } from './code-form.tsx';
import { codePath, pathsOfCodes } from './codes-api.ts';
import { t } from './messages.ts';

type CodeProps = { readonly store: string; readonly code: Pick<DiscountCode, 'id' | 'code'> };

function useChangeStatus({ store, code }: CodeProps): (status: DiscountCode['status']) => () => Promise<void> {
  const client = useQueryClient();
  return (status) => async () => {
    await api.patch(codePath(store, code.id), { status });
    await refresh(client, ...pathsOfCodes(store));
  };
}

export function PauseCodeButton(props: CodeProps) {
  const change = useChangeStatus(props);
  const { code: name } = props.code;
  return (
    <ConfirmButton
      variant="subtle"
      subject={name}
      label={t.code_actions.pause}
      title={t.code_actions.pause_code({ code: name })}
      confirm={t.code_actions.pause}
      run={change('paused')}
    >
      <p>{t.code_actions.pause_means}</p>
    </ConfirmButton>
  );
}

/** An ended code cannot be changed. */
export function CodeActions({ store, code }: { readonly store: string; readonly code: DiscountCode }) {
  const change = useChangeStatus({ store, code });
  const common = { variant: 'subtle', subject: code.code } as const;
  if (code.status === 'ended') return null;
  return (
    <>
      <EditCodeButton store={store} code={code} />
      {code.status === 'active' && <PauseCodeButton store={store} code={code} />}
      {code.status === 'paused' && (
        <ConfirmButton
          {...common}
          label={t.code_actions.resume}
          title={t.code_actions.resume_code({ code: code.code })}
          confirm={t.code_actions.resume}
          run={change('active')}
        >
          <p>{t.code_actions.resume_means}</p>
        </ConfirmButton>
      )}
      <ConfirmButton
        {...common}
        label={t.code_actions.end}
        danger
        title={t.code_actions.end_code({ code: code.code })}
        confirm={t.code_actions.end}
        run={change('ended')}
      >
        <p>{t.code_actions.end_means}</p>
      </ConfirmButton>
    </>
  );
}
