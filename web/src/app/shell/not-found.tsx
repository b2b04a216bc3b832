import { TextLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';

export function NotFound() {
  return (
    <Page title="There is no page here" narrow>
      <p>
        The address may be mistyped, or what stood here is gone. <TextLink to="/">Go to the first page</TextLink>.
      </p>
    </Page>
  );
}
