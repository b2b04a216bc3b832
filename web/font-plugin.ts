import type { Plugin } from 'vite';

const preloaded = /geist-latin-wght-normal.*\.woff2$/;

/** Loads the typeface with the page and not after its style sheet, so that texts rarely change their shape. */
export function fontPreload(): Plugin {
  return {
    name: 'font-preload',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => preloaded.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head-prepend' as const,
          })),
    },
  };
}
