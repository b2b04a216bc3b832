import { Outlet } from '@tanstack/react-router';
import { Alone } from './alone.tsx';
import { Notes } from './notes.tsx';
import { PersonMenu } from './person-menu.tsx';
import { ProofDialog } from './proof-dialog.tsx';

/** For operators who must set up a second factor first. Every other request would be refused, so there is no menu. */
export function OnlyThisPage() {
  return (
    <>
      <Alone>
        <Outlet />
        <PersonMenu />
      </Alone>
      <ProofDialog />
      <Notes />
    </>
  );
}
