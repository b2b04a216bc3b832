import { useChooseLanguage } from '../../session/language.ts';
import { LanguageSelect } from '../../ui/language-select.tsx';
import { useEffect, useRef, type ReactNode } from 'react';
import { EnvironmentBanner } from '../../ui/environment-banner.tsx';
import { Logo } from '../../ui/icons.tsx';
import { TextLink } from '../../ui/links.tsx';
import styles from './auth-layout.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type AuthLayoutProps = { readonly title: string; readonly intro?: ReactNode; readonly children: ReactNode; readonly below?: ReactNode };

/** The frame of the pages before sign-in. */
export function AuthLayout({ title, intro, children, below }: AuthLayoutProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  const chooseLanguage = useChooseLanguage();
  useEffect(() => {
    document.title = t.auth_layout.tributary({ title });
    // The focused element went with the previous page: focusing the title lets a screen reader announce the new one.
    if (shown.current !== title && document.activeElement === document.body) heading.current?.focus();
    shown.current = title;
  }, [title]);
  return (
    <>
      <EnvironmentBanner />
      <div className={styles.page}>
        <header className={styles.brand}>
          <Logo size={30} />
          <span className={styles.name}>{t.auth_layout.tributary_2}</span>
        </header>
        <main className={styles.card}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <div className={styles.intro}>{intro}</div>}
          <div className={styles.content}>{children}</div>
        </main>
        <footer className={styles.below}>
          {below}
          <div className={styles.language}>
            <LanguageSelect onChoose={(language) => void chooseLanguage(language)} />
          </div>
        </footer>
      </div>
    </>
  );
}

/** The response to a request for a one-time link. */
export type LinkResponse = { readonly message: string; readonly delivered_by: 'mail' | 'operator' };
export type RequestedLink = LinkResponse & { readonly email: string };

/** No email was sent, so the page must not ask anyone to wait for one. */
export function EmailNotSent({ requested }: { readonly requested: RequestedLink }) {
  return (
    <>
      <p>{requested.message}</p>
      <p>
        {rich(t.auth_layout.your_request_for_was_recorded, {
          b: <strong>{requested.email}</strong>,
          link: <TextLink to="/operator/mails" />,
        })}
      </p>
    </>
  );
}
