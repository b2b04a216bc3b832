/** Advice for warnings that need action now. All other warnings explain themselves in their message. */
export const warningAdvice: Readonly<Record<string, readonly string[]>> = {
  key_in_body: [
    'Treat the key as leaked: other systems that saw the body (your logs, a queue, an error tracker) may hold it unmasked.',
    'Remove the key from the body that your server builds. A postback key belongs in the Authorization header only.',
    'Create a new key, put it into your server, and then revoke the old one. Two postback keys can work at once, so no postback is lost.',
  ],
  key_in_browser: [
    'Treat the key as leaked: anyone who opens that page can read it.',
    'Send postbacks from your server, never from a page.',
    'Create a new key, put it into your server, and then revoke the old one.',
  ],
};
