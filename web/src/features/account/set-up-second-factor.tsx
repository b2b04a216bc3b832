import { Page } from '../../ui/page.tsx';
import { SecondFactor } from './second-factor.tsx';

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
