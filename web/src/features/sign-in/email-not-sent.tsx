import { TextLink } from '../../ui/links.tsx';

/** The response to a request for a one-time link. */
export type LinkResponse = { readonly message: string; readonly delivered_by: 'mail' | 'operator' };
export type RequestedLink = LinkResponse & { readonly email: string };

/** No email was sent, so the page must not ask anyone to wait for one. */
export function EmailNotSent({ asked }: { readonly asked: RequestedLink }) {
  return (
    <>
      <p>{asked.message}</p>
      <p>
        Your request for <strong>{asked.email}</strong> is recorded. Are you an operator? Sign in, then open{' '}
        <TextLink to="/operator/mails">Mails</TextLink>.
      </p>
    </>
  );
}
