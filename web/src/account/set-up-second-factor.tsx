import { Page } from '../parts/page.tsx';
import { SecondFactor } from './second-factor.tsx';

/** Where the console leads an operator in live mode whose password alone would open everything. */
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
