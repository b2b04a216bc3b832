import { useInfiniteQuery } from '@tanstack/react-query';
import { ButtonLink } from '../parts/links.tsx';
import { useMay } from '../people/may.ts';
import type { Scope } from '../people/scopes.ts';
import { FirstSteps, type Step } from './first-steps.tsx';
import { postbackKeyList, type PostbackKey } from './postback-keys-api.ts';
import { programList, type Program } from './programs-api.ts';
import type { Store } from './stores-api.ts';

/** Only evidence ticks a step; once all are ticked the list is gone. Nobody is led to a form that their role does not allow. */
export function StoreSteps({ shop }: { readonly shop: Store }) {
  const keys = useInfiniteQuery(postbackKeyList(shop.id));
  const programs = useInfiniteQuery(programList(shop.id));
  const may = useMay(shop.id);
  if (!keys.isSuccess || !programs.isSuccess) return null;
  const steps = stepsOf(shop, may, {
    keys: keys.data.pages.flatMap(({ data }) => data),
    programs: programs.data.pages.flatMap(({ data }) => data),
  });
  return steps.every(({ isDone }) => isDone) ? null : <FirstSteps steps={steps} />;
}

type Evidence = { readonly keys: readonly PostbackKey[]; readonly programs: readonly Program[] };

function stepsOf(shop: Store, may: (scope: Scope) => boolean, { keys, programs }: Evidence): readonly Step[] {
  const params = { store: shop.id };
  const wayToIntegration = (label: string) =>
    may('integration:write') && (
      <ButtonLink size="xs" to="/stores/$store/integration" params={params}>
        {label}
      </ButtonLink>
    );
  return [
    {
      title: 'Make a postback key',
      text: 'Your server reports paid orders with it.',
      isDone: keys.length > 0,
      way: wayToIntegration('Make a key'),
    },
    {
      title: 'Send the first postback',
      text: 'Put the script tag on your pages and the key on your server; the key’s first use ticks this.',
      isDone: shop.tracking_on || keys.some(({ last_used_at: used }) => used !== null),
      way: wayToIntegration('See how'),
    },
    {
      title: 'Switch tracking on',
      text: 'A test order that goes all the way, from click to postback, does it by itself.',
      isDone: shop.tracking_on,
      way: wayToIntegration('Make a test link'),
    },
    {
      title: 'Create a program',
      text: 'For how long a click counts, and what orders are held for.',
      isDone: programs.length > 0,
      way: may('programs:write') && (
        <ButtonLink size="xs" to="/stores/$store/new-program" params={params}>
          Create a program
        </ButtonLink>
      ),
    },
    {
      title: 'Write its terms and publish it',
      text: 'Say what partners earn; from then on its links earn it. It needs tracking to be on.',
      isDone: programs.some(({ first_published_at: at }) => at !== null),
      way: may('programs:write') && (
        <ButtonLink size="xs" to="/stores/$store/programs" params={params}>
          Open the programs
        </ButtonLink>
      ),
    },
  ];
}
