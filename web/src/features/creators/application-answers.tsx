import type { ApplicationAnswer } from '../../../../sdk/src/api-schema.ts';
import styles from './creators.module.css';

/** What a creator answered with the application. Only web addresses become links; creators choose the text. */
export const ApplicationAnswers = ({ answers }: { readonly answers: readonly ApplicationAnswer[] }) => (
  <dl className={styles.answers}>
    {answers.map(({ question, answer }) => (
      <div key={question}>
        <dt>{question}</dt>
        <dd>
          {/^https?:\/\/\S+$/.test(answer) ? (
            <a href={answer} target="_blank" rel="noreferrer nofollow">
              {answer}
            </a>
          ) : (
            answer
          )}
        </dd>
      </div>
    ))}
  </dl>
);
