import { TextLink } from '../parts/links.tsx';

/** What the service answers to whoever asks for a link. */
export type LinkReply = { readonly message: string; readonly delivered_by: 'mail' | 'operator' };
export type AskedForLink = LinkReply & { readonly email: string };

/** No mail is on its way, so nobody should wait for one. */
export function NoMailServer({ asked }: { readonly asked: AskedForLink }) {
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
