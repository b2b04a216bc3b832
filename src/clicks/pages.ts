/** The two pages that a shopper may meet instead of a shop: plain, kind, and without a script. */
export const unknownLinkPage = page(
  'This link leads nowhere',
  'Perhaps a letter got lost when it was copied, or the creator took it down. The shop is still there: look for it by its name.',
);
export const awayPage = page('One moment, please', 'We could not look up where this link leads. Try it again in a few seconds.');

function page(title: string, message: string): { readonly message: string; readonly html: string } {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
body { font: 1.125rem/1.6 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0 }
main { max-width: 32rem; padding: 2rem }
h1 { font-size: 1.5rem; font-weight: 600 }
</style>
</head>
<body><main><h1>${title}</h1><p>${message}</p></main></body>
</html>
`;
  return { message: `${title}. ${message}`, html };
}
