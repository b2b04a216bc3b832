import { t } from './messages.ts';

/**
 * The next step for each reason, for developers of the store's server. The explanation of the answer says what happened. A test
 * compares the keys of the catalog with the table of reasons.
 */
export const postbackAdvice: Readonly<Record<string, string>> = t.postback_advice;

/** Advice for warnings that need action now. All other warnings explain themselves in their message. */
export const warningAdvice: Readonly<Record<string, readonly string[]>> = {
  key_in_body: [t.warning_advice.treat_the_key_as_leaked, t.warning_advice.remove_the_key_from_the, t.warning_advice.create_a_new_key_put],
  key_in_browser: [
    t.warning_advice.treat_the_key_as_leaked_2,
    t.warning_advice.send_postbacks_from_your_server,
    t.warning_advice.create_a_new_key_put_2,
  ],
};
